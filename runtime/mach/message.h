/* SPDX-License-Identifier: MIT-0 */
/*
 * Messages: Mach's header, a descriptor of bytes, and the bytes, or where they are. Those of a request begin with 8 of the link's own:
 * the room that the caller has for the reply, and zero. A refusal is a number in their place, as in MIG's replies of errors. Source: the
 * message format of `mach/message.h`.
 */
#ifndef WHITTLE_MACH_MESSAGE_H
#define WHITTLE_MACH_MESSAGE_H
#include "stubs.h"
#ifdef WHITTLE_MACH_SYSTEM
#include WHITTLE_MACH_SYSTEM
#else
#include <mach.h>
#endif
#include <mach/message.h>
#include <mach/notify.h>

struct whittle_mach_head {
    mach_msg_header_t header;
    mach_msg_type_long_t type;
};
#define WHITTLE_MACH_HEAD sizeof(struct whittle_mach_head)
/* Messages lie so that their bytes begin at a multiple of 8. */
#define WHITTLE_MACH_SHIFT ((0 - WHITTLE_MACH_HEAD) & 7)
#define WHITTLE_MACH_LEAD 8                     /* the link's own bytes of a request */
#define WHITTLE_MACH_INLINE (65536 + 256)       /* most bytes within a request's message, its lead among them */
#define WHITTLE_MACH_ROOM (WHITTLE_MACH_HEAD + WHITTLE_MACH_INLINE)
#define WHITTLE_MACH_MOST 0x7fff0000u           /* bytes of any message */

/* What stands where: bytes beside the message have their address there. */
struct whittle_mach_beside {
    struct whittle_mach_head head;
    void *bytes;
};
struct whittle_mach_refusal {
    mach_msg_header_t header;
    mach_msg_type_t type;
    int32_t status;
};
struct whittle_mach_lead {
    uint32_t room, zero;
};

/* Messages are made of whole words. */
WHITTLE_INLINE size_t whittle_mach_whole(size_t size)
{
    return (size + sizeof(uintptr_t) - 1) & ~(sizeof(uintptr_t) - 1);
}

/* Replies have the number of their request, and 100 more, as MIG's. */
WHITTLE_INLINE mach_msg_id_t whittle_mach_reply_id(uint32_t id)
{
    return (mach_msg_id_t)(id + 100);
}

/* Memory for messages that do not fit on a stack. */
struct whittle_mach_buffer {
    size_t room;                                /* of the message */
    char *message;
};
struct whittle_mach_buffer *whittle_mach_buffer_new(size_t room);

/* Descriptors of bytes: within the message, beside it, and beside it where the sender's memory goes with them. All but the number. */
#ifdef __LP64__
#define WHITTLE_MACH_TYPE(is_inline, goes)                                                                             \
    {.msgtl_name = MACH_MSG_TYPE_BYTE, .msgtl_size = 8, .msgtl_inline = is_inline, .msgtl_deallocate = goes}
#else
#define WHITTLE_MACH_TYPE(is_inline, goes)                                                                             \
    {.msgtl_header = {.msgt_inline = is_inline, .msgt_longform = 1, .msgt_deallocate = goes}, .msgtl_name = MACH_MSG_TYPE_BYTE, .msgtl_size = 8}
#endif
#define WHITTLE_MACH_NUMBER offsetof(mach_msg_type_long_t, msgtl_number)
static const mach_msg_type_long_t whittle_mach_within = WHITTLE_MACH_TYPE(1, 0);
static const mach_msg_type_long_t whittle_mach_beside = WHITTLE_MACH_TYPE(0, 0);
static const mach_msg_type_long_t whittle_mach_moved = WHITTLE_MACH_TYPE(0, 1);

WHITTLE_IN_PLACE bool whittle_mach_is(const mach_msg_type_long_t *type, const mach_msg_type_long_t *expected)
{
    return memcmp(type, expected, WHITTLE_MACH_NUMBER) == 0;
}

/* Describes the n bytes behind a message's head, or at another place; how long the message is. */
WHITTLE_IN_PLACE mach_msg_size_t whittle_mach_describe(char *message, const void *beside, size_t n)
{
    struct whittle_mach_head *const head = (struct whittle_mach_head *)(void *)message;
    size_t size = WHITTLE_MACH_HEAD + n;
    memcpy(&head->type, beside == NULL ? &whittle_mach_within : &whittle_mach_beside, WHITTLE_MACH_NUMBER);
    head->type.msgtl_number = (mach_msg_type_number_t)n;
    if (beside != NULL) {
        memcpy(message + WHITTLE_MACH_HEAD, &beside, sizeof beside);
        head->header.msgh_bits |= MACH_MSGH_BITS_COMPLEX;
        size = WHITTLE_MACH_HEAD + sizeof beside;
    }
    size = whittle_mach_whole(size);
    head->header.msgh_size = (mach_msg_size_t)size;
    return head->header.msgh_size;
}

/* Whether a message that came is one of bytes: where they begin. NULL: it is not. */
WHITTLE_IN_PLACE const char *whittle_mach_bytes(const char *message, size_t *n, bool *are_beside)
{
    const struct whittle_mach_head *const head = (const struct whittle_mach_head *)(const void *)message;
    const size_t size = head->header.msgh_size;
    const bool is_complex = (head->header.msgh_bits & MACH_MSGH_BITS_COMPLEX) != 0;
    if (size < WHITTLE_MACH_HEAD)
        return NULL;
    *n = head->type.msgtl_number;
    *are_beside = is_complex;
    if (!is_complex)
        return whittle_mach_is(&head->type, &whittle_mach_within) && *n <= size - WHITTLE_MACH_HEAD ? message + WHITTLE_MACH_HEAD : NULL;
    /* Nothing else is in such a message. The memory is the receiver's to release, whatever the sender said. */
    if (size != WHITTLE_MACH_HEAD + sizeof(void *)
        || !(whittle_mach_is(&head->type, &whittle_mach_beside) || whittle_mach_is(&head->type, &whittle_mach_moved)))
        return NULL;
    const char *bytes;
    memcpy(&bytes, message + WHITTLE_MACH_HEAD, sizeof bytes);
    return bytes;
}

/* Lets go of all that a message brought, or that could not be sent: rights, memory, and the right to reply. */
void whittle_mach_discard(char *message);
/* The same of one that the kernel gave back because it could not be sent in time: with what was made of its rights and memory. */
void whittle_mach_returned(char *message);
#endif
