/* SPDX-License-Identifier: MIT-0 */
/*
 * What a message says of itself, in its headers, and the tag that only a process with the flow's key can make: over the
 * subject, the headers and the bytes. In goes a message, out comes what it says, or that it is nobody's of this flow.
 */
#include "transport.h"
#include <stdlib.h>
#include <string.h>

static size_t whittle_flow_nats_marked_text(char *text, size_t room, const char *subject, const char *head)
{
    const int length = snprintf(text, room, "%s\n%s\n", subject, head);
    return length < 0 || (size_t)length >= room ? 0 : (size_t)length;
}

bool whittle_flow_nats_mark(const struct whittle_flow_nats_link *own, const char *subject, const char *head, const void *body, size_t bytes,
    char digits[WHITTLE_FLOW_NATS_TAG + 1])
{
    const struct whittle_flow_event_loop *const loop = own->link->loop;
    uint8_t tag[WHITTLE_FLOW_TAG];
    char text[512];
    const size_t length = whittle_flow_nats_marked_text(text, sizeof text, subject, head);
    if (length == 0 || !loop->process->security->mark(loop, text, length, body, bytes, tag))
        return false;
    for (int n = 0; n < WHITTLE_FLOW_TAG; n++)
        snprintf(digits + 2 * n, 3, "%02x", tag[n]);
    return true;
}

bool whittle_flow_nats_is_marked(const struct whittle_flow_nats_link *own, const char *subject, const char *head, const void *body, size_t bytes,
    const char *digits)
{
    const struct whittle_flow_event_loop *const loop = own->link->loop;
    uint8_t tag[WHITTLE_FLOW_TAG];
    char text[512], byte[3] = "";
    const size_t length = whittle_flow_nats_marked_text(text, sizeof text, subject, head);
    if (length == 0 || strlen(digits) != WHITTLE_FLOW_NATS_TAG || strspn(digits, "0123456789abcdef") != WHITTLE_FLOW_NATS_TAG)
        return false;
    for (int n = 0; n < WHITTLE_FLOW_TAG; n++) {
        memcpy(byte, digits + 2 * n, 2);
        tag[n] = (uint8_t)strtoul(byte, NULL, 16);
    }
    return loop->process->security->marked(loop, text, length, body, bytes, tag);
}

/* One line: what the headers say together. */
static void whittle_flow_nats_head(const struct whittle_flow_nats_said *said, char head[128])
{
    const int length = snprintf(head, 128, "%016llx-%llu %llu %llu %d", (unsigned long long)said->run, (unsigned long long)said->number,
        (unsigned long long)said->skipped, (unsigned long long)said->began, said->is_end);
    if (said->born != 0)
        snprintf(head + length, 128 - (size_t)length, " %llu", (unsigned long long)said->born);
}

bool whittle_flow_nats_read(const struct whittle_flow_nats_link *own, natsMsg *message, struct whittle_flow_nats_said *said)
{
    const char *id = NULL, *text = NULL, *end = NULL, *rest = NULL;
    char head[128], tag[WHITTLE_FLOW_NATS_TAG + 1];
    memset(said, 0, sizeof *said);
    said->is_end = natsMsgHeader_Get(message, "Whittle-End", &end) == NATS_OK;
    said->skipped = natsMsgHeader_Get(message, "Whittle-Skipped", &text) == NATS_OK ? strtoull(text, NULL, 10) : 0;
    said->began = natsMsgHeader_Get(message, "Whittle-Began", &text) == NATS_OK ? strtoull(text, NULL, 10) : 0;
    said->born = natsMsgHeader_Get(message, "Whittle-Born", &text) == NATS_OK ? strtoull(text, NULL, 10) : 0;
    if (natsMsgHeader_Get(message, "Nats-Msg-Id", &id) != NATS_OK || strlen(id) < 18 || id[16] != '-')
        return false;
    said->run = strtoull(id, NULL, 16);
    said->number = whittle_flow_nats_number(id + 17, '-', &rest);
    if (rest == NULL || said->run == 0)
        return false;
    snprintf(tag, sizeof tag, "%s", rest);
    whittle_flow_nats_head(said, head);
    return whittle_flow_nats_is_marked(own, own->subject, head, natsMsg_GetData(message), (size_t)natsMsg_GetDataLength(message), tag);
}

bool whittle_flow_nats_write(const struct whittle_flow_nats_link *own, natsMsg *message, const struct whittle_flow_nats_said *said, char id[96])
{
    char head[128], text[24], tag[WHITTLE_FLOW_NATS_TAG + 1];
    whittle_flow_nats_head(said, head);
    if (!whittle_flow_nats_mark(own, own->subject, head, natsMsg_GetData(message), (size_t)natsMsg_GetDataLength(message), tag))
        return false;
    /* Nobody else can say beforehand what it will be: the server drops what comes under an id that it has had. */
    snprintf(id, 96, "%016llx-%llu-%s", (unsigned long long)said->run, (unsigned long long)said->number, tag);
    natsStatus status = natsMsgHeader_Set(message, "Nats-Msg-Id", id);
    snprintf(text, sizeof text, "%llu", (unsigned long long)said->began);
    status = status != NATS_OK ? status : natsMsgHeader_Set(message, "Whittle-Began", text);
    snprintf(text, sizeof text, "%llu", (unsigned long long)said->skipped);
    if (status == NATS_OK && said->skipped > 0)
        status = natsMsgHeader_Set(message, "Whittle-Skipped", text);
    snprintf(text, sizeof text, "%llu", (unsigned long long)said->born);
    if (status == NATS_OK && said->born != 0)
        status = natsMsgHeader_Set(message, "Whittle-Born", text);
    if (status == NATS_OK && said->is_end)
        status = natsMsgHeader_Set(message, "Whittle-End", "1");
    return status == NATS_OK;
}
