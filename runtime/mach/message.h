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
#define WHITTLE_MACH_PREFIX 8                     /* the link's own bytes of a request */
#define WHITTLE_MACH_INLINE (65536 + 256)       /* most bytes inline in a request, with its prefix */
#define WHITTLE_MACH_ROOM (WHITTLE_MACH_HEAD + WHITTLE_MACH_INLINE)
#define WHITTLE_MACH_LEAST (WHITTLE_MACH_FIRST - WHITTLE_MACH_SHIFT)    /* room that every call has for its messages */
#define WHITTLE_MACH_MOST 0x7fff0000u           /* bytes of any message */

/* A message whose bytes are out of line: their address stands in their place. */
struct whittle_mach_out_of_line {
    struct whittle_mach_head head;
    void *bytes;
};
struct whittle_mach_refusal {
    mach_msg_header_t header;
    mach_msg_type_t type;
    int32_t status;
};
struct whittle_mach_prefix {
    uint32_t room, zero;
};

/* Messages are made of whole words. */
WHITTLE_INLINE size_t whittle_mach_round_up(size_t size)
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

/* Descriptors of bytes, but for the number: inline, out of line, and out of line where the sender's memory moves with them. */
#ifdef __LP64__
#define WHITTLE_MACH_TYPE(is_inline, goes)                                                                             \
    {.msgtl_name = MACH_MSG_TYPE_BYTE, .msgtl_size = 8, .msgtl_inline = is_inline, .msgtl_deallocate = goes}
#else
#define WHITTLE_MACH_TYPE(is_inline, goes)                                                                             \
    {.msgtl_header = {.msgt_inline = is_inline, .msgt_longform = 1, .msgt_deallocate = goes}, .msgtl_name = MACH_MSG_TYPE_BYTE, .msgtl_size = 8}
#endif
#define WHITTLE_MACH_NUMBER offsetof(mach_msg_type_long_t, msgtl_number)
static __attribute__((unused)) const mach_msg_type_long_t whittle_mach_inline_type = WHITTLE_MACH_TYPE(1, 0);
static __attribute__((unused)) const mach_msg_type_long_t whittle_mach_out_of_line_type = WHITTLE_MACH_TYPE(0, 0);
static __attribute__((unused)) const mach_msg_type_long_t whittle_mach_moved_type = WHITTLE_MACH_TYPE(0, 1);

WHITTLE_IN_PLACE bool whittle_mach_type_is(const mach_msg_type_long_t *type, const mach_msg_type_long_t *expected)
{
    return memcmp(type, expected, WHITTLE_MACH_NUMBER) == 0;
}

/* Describes the n bytes behind a message's head, or at another place; how long the message is. */
WHITTLE_IN_PLACE mach_msg_size_t whittle_mach_describe(char *message, const void *out_of_line, size_t n)
{
    struct whittle_mach_head *const head = (struct whittle_mach_head *)(void *)message;
    size_t size = WHITTLE_MACH_HEAD + n;
    memcpy(&head->type, out_of_line == NULL ? &whittle_mach_inline_type : &whittle_mach_out_of_line_type, WHITTLE_MACH_NUMBER);
    head->type.msgtl_number = (mach_msg_type_number_t)n;
    if (out_of_line != NULL) {
        memcpy(message + WHITTLE_MACH_HEAD, &out_of_line, sizeof out_of_line);
        head->header.msgh_bits |= MACH_MSGH_BITS_COMPLEX;
        size = WHITTLE_MACH_HEAD + sizeof out_of_line;
    }
    size = whittle_mach_round_up(size);
    head->header.msgh_size = (mach_msg_size_t)size;
    return head->header.msgh_size;
}

/* The same of a complex message: it has memory out of line, or rights to send behind the bytes where these are expected. */
const char *whittle_mach_complex(char *message, size_t *n, bool *is_out_of_line, struct whittle_mach_rights *rights);

/* Where the bytes of a received message begin. NULL: it is no message of bytes. Without `rights` it may carry none. */
WHITTLE_IN_PLACE const char *whittle_mach_bytes(char *message, size_t *n, bool *is_out_of_line, struct whittle_mach_rights *rights)
{
    const struct whittle_mach_head *const head = (const struct whittle_mach_head *)(const void *)message;
    const size_t size = head->header.msgh_size, number = head->type.msgtl_number;
    if (size < WHITTLE_MACH_HEAD)
        return NULL;
    if ((head->header.msgh_bits & MACH_MSGH_BITS_COMPLEX) != 0)
        return whittle_mach_complex(message, n, is_out_of_line, rights);
    *n = number;
    *is_out_of_line = false;
    return whittle_mach_type_is(&head->type, &whittle_mach_inline_type) && number <= size - WHITTLE_MACH_HEAD ? message + WHITTLE_MACH_HEAD : NULL;
}

/* A descriptor of a message. */
struct whittle_mach_descriptor {
    unsigned name, inlined;
    uint64_t size, number;                      /* bits of each */
    size_t at;                                  /* of the data, behind the descriptor */
};
/* The one at `at`. false: there is none. */
bool whittle_mach_descriptor(const char *message, size_t size, size_t at, struct whittle_mach_descriptor *item);
/* Releases one right. */
void whittle_mach_release_right(unsigned kind, mach_port_t port);

/* Rights of messages: rights.c. */
/* One that goes along: its place, counted from 1. 0: no memory. */
uint32_t whittle_mach_right_add(struct whittle_mach_rights *rights, mach_port_t port);
/* The one of that place, which is the caller's from now on. MACH_PORT_NULL: there is none, or it was taken. */
mach_port_t whittle_mach_right_take(struct whittle_mach_rights *rights, uint32_t place);
/* Bytes that those that go along take in a message. */
size_t whittle_mach_rights_size(const struct whittle_mach_rights *rights);
WHITTLE_IN_PLACE bool whittle_mach_rights_go(const struct whittle_mach_rights *rights)
{
    return rights != NULL && rights->count != 0;
}
/* Puts them behind all that the message has; how long it is then. 0: no memory. */
mach_msg_size_t whittle_mach_rights_put(struct whittle_mach_rights *rights, char *message);
/* Releases what was not sent, and what was received and not taken. */
void whittle_mach_rights_end(struct whittle_mach_rights *rights);

/* Releases all that a message brought, or that could not be sent: rights, memory, and the right to reply. */
void whittle_mach_discard(char *message);
/* The same of one that the kernel gave back because it could not be sent in time: with what was made of its rights and memory. */
void whittle_mach_discard_returned(char *message);
#endif
