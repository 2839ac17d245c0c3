/* SPDX-License-Identifier: MIT-0 */
/*
 * What travels: the head before each packet, and what the receiver reports. In go values, out come bytes of CDR as the printed IDL has
 * them, and back.
 */
#include "transport.h"
#include <string.h>

enum { WHITTLE_FLOW_DDS_TAKEN = 36, WHITTLE_FLOW_DDS_TAKEN_MOST = 36 + 64 };

/* The largest sample of an edge. */
uint64_t whittle_flow_dds_largest(const struct whittle_flow_edge *edge)
{
    return WHITTLE_FLOW_DDS_HEAD + (uint64_t)(edge->type->fixed != 0 ? edge->type->size : edge->type->largest);
}

/* The members of the structure are those of CDR, in order and as aligned. */
_Static_assert(sizeof(struct whittle_flow_dds_head) == WHITTLE_FLOW_DDS_HEAD, "no padding");

void whittle_flow_dds_head_write(const struct whittle_flow_dds_head *head, unsigned char *at)
{
    memcpy(at, head, sizeof *head);
}

bool whittle_flow_dds_head_read(const unsigned char *at, uint64_t count, struct whittle_flow_dds_head *head)
{
    if (count < sizeof *head)
        return false;
    memcpy(head, at, sizeof *head);
    return head->run != 0 && head->kind <= WHITTLE_FLOW_DDS_END && head->number < UINT64_C(1) << 62;
}

bool whittle_flow_dds_say(const struct whittle_flow_dds_link *own, const struct whittle_flow_dds_taken *said)
{
    struct whittle_flow_dds_bytes *const bytes = whittle_flow_dds_new(own->written, WHITTLE_FLOW_DDS_TAKEN_MOST);
    if (bytes == NULL)
        return false;
    unsigned char *const at = whittle_flow_dds_value(bytes, NULL);
    const uint32_t length = (uint32_t)strnlen(said->holder, sizeof said->holder - 1) + 1;
    memcpy(at, said, WHITTLE_FLOW_DDS_TAKEN - sizeof length);
    memcpy(at + WHITTLE_FLOW_DDS_TAKEN - sizeof length, &length, sizeof length);
    memcpy(at + WHITTLE_FLOW_DDS_TAKEN, said->holder, length - 1);
    at[WHITTLE_FLOW_DDS_TAKEN + length - 1] = '\0';
    whittle_flow_dds_set(bytes, WHITTLE_FLOW_DDS_TAKEN + length);
    const dds_return_t done = whittle_flow_dds_write(own->writer, bytes);
    whittle_flow_dds_free(bytes);
    return done == DDS_RETCODE_OK;
}

/* The next that has been said; false: nothing more. What makes no sense says nothing. */
bool whittle_flow_dds_hear(const struct whittle_flow_dds_link *own, struct whittle_flow_dds_taken *said, dds_instance_handle_t *from)
{
    uint64_t count;
    uint32_t length = 0;
    struct whittle_flow_dds_bytes *const bytes = whittle_flow_dds_take(own->reader, from);
    if (bytes == NULL)
        return false;
    const unsigned char *const at = whittle_flow_dds_value(bytes, &count);
    memset(said, 0, sizeof *said);
    if (count >= WHITTLE_FLOW_DDS_TAKEN) {
        char text[sizeof said->holder] = "";
        memcpy(said, at, WHITTLE_FLOW_DDS_TAKEN - sizeof length);
        memcpy(&length, at + WHITTLE_FLOW_DDS_TAKEN - sizeof length, sizeof length);
        if (length > 0 && length <= sizeof text && length <= count - WHITTLE_FLOW_DDS_TAKEN)
            memcpy(text, at + WHITTLE_FLOW_DDS_TAKEN, length - 1);
        whittle_flow_clean(text, sizeof text, said->holder);
    }
    whittle_flow_dds_free(bytes);
    return true;
}
