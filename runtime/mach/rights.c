/* SPDX-License-Identifier: MIT-0 */
/*
 * Rights to send that messages carry behind their bytes: one more descriptor, and the names, or, where these are many, the place of their
 * list. A right that nobody takes is released.
 */
#include "server.h"

/* So many stand in the message. */
#define WHITTLE_MACH_RIGHTS 64

#ifdef __LP64__
#define WHITTLE_MACH_RIGHTS_TYPE(kind, each, is_inline, goes)                                                          \
    {.msgtl_name = kind, .msgtl_size = 8 * (each), .msgtl_inline = is_inline, .msgtl_deallocate = goes}
#else
#define WHITTLE_MACH_RIGHTS_TYPE(kind, each, is_inline, goes)                                                          \
    {.msgtl_header = {.msgt_inline = is_inline, .msgt_longform = 1, .msgt_deallocate = goes}, .msgtl_name = kind, .msgtl_size = 8 * (each)}
#endif

void whittle_mach_rights_begin(struct whittle_mach_rights *rights, bool are_moved)
{
    memset(rights, 0, sizeof *rights);
    rights->are_moved = are_moved;
}

uint32_t whittle_mach_right_add(struct whittle_mach_rights *rights, mach_port_t port)
{
    if (rights->count == rights->room) {
        const uint32_t room = rights->room == 0 ? 8 : 2 * rights->room;
        mach_port_t *const more = room > 1u << 20 ? NULL : (mach_port_t *)realloc(rights->sent, room * sizeof *more);
        if (more == NULL)
            return 0;
        rights->sent = more;
        rights->room = room;
    }
    /* It is sent when its owner may have released it already. Of a port that has ended there are no more rights. */
    if (rights->are_moved && port != MACH_PORT_DEAD
        && mach_port_mod_refs(mach_task_self(), port, MACH_PORT_RIGHT_SEND, 1) != KERN_SUCCESS)
        port = MACH_PORT_DEAD;
    rights->sent[rights->count++] = port;
    return rights->count;
}

mach_port_t whittle_mach_right_take(struct whittle_mach_rights *rights, uint32_t place)
{
    mach_port_t port = MACH_PORT_NULL;
    if (place == 0 || place > rights->received_count)
        return MACH_PORT_NULL;
    char *const at = rights->received + (size_t)(place - 1) * rights->each;
    memcpy(&port, at, sizeof port);
    memset(at, 0, rights->each);
    return port;
}

size_t whittle_mach_rights_size(const struct whittle_mach_rights *rights)
{
    const size_t here = rights->count <= WHITTLE_MACH_RIGHTS ? rights->count * sizeof(mach_port_name_inlined_t) : sizeof(void *);
    return rights->count == 0 ? 0 : whittle_mach_round_up(sizeof(mach_msg_type_long_t) + here);
}

/* The list out of line. NULL: no memory. */
static void *whittle_mach_rights_out_of_line(const struct whittle_mach_rights *rights)
{
    vm_address_t place = 0;
    if (!rights->are_moved)
        return rights->sent;
    if (vm_allocate(mach_task_self(), &place, rights->count * sizeof *rights->sent, TRUE) != KERN_SUCCESS)
        return NULL;
    memcpy((void *)(uintptr_t)place, rights->sent, rights->count * sizeof *rights->sent);
    return (void *)(uintptr_t)place;
}

mach_msg_size_t whittle_mach_rights_put(struct whittle_mach_rights *rights, char *message)
{
    mach_msg_header_t *const header = (mach_msg_header_t *)(void *)message;
    const mach_msg_type_number_t kind = rights->are_moved ? MACH_MSG_TYPE_MOVE_SEND : MACH_MSG_TYPE_COPY_SEND;
    const bool is_inline = rights->count <= WHITTLE_MACH_RIGHTS;
    const mach_msg_type_long_t inline_type = WHITTLE_MACH_RIGHTS_TYPE(kind, sizeof(mach_port_name_inlined_t), 1, 0);
    const mach_msg_type_long_t out_of_line = WHITTLE_MACH_RIGHTS_TYPE(kind, sizeof(mach_port_t), 0, rights->are_moved);
    mach_msg_type_long_t type = is_inline ? inline_type : out_of_line;
    char *at = message + header->msgh_size;
    void *const list = is_inline ? NULL : whittle_mach_rights_out_of_line(rights);
    if (!is_inline && list == NULL)
        return 0;
    type.msgtl_number = rights->count;
    memset(at, 0, whittle_mach_rights_size(rights));
    memcpy(at, &type, sizeof type);
    at += sizeof type;
    if (!is_inline)
        memcpy(at, &list, sizeof list);
    for (uint32_t i = 0; is_inline && i < rights->count; i++)
        memcpy(at + i * sizeof(mach_port_name_inlined_t), &rights->sent[i], sizeof *rights->sent);
    header->msgh_bits |= MACH_MSGH_BITS_COMPLEX;
    header->msgh_size += (mach_msg_size_t)whittle_mach_rights_size(rights);
    if (rights->are_moved)
        rights->count = 0;
    return header->msgh_size;
}

void whittle_mach_rights_end(struct whittle_mach_rights *rights)
{
    for (uint32_t i = 0; rights->are_moved && i < rights->count; i++)
        whittle_mach_release_right(MACH_MSG_TYPE_PORT_SEND, rights->sent[i]);
    for (uint32_t place = 1; place <= rights->received_count; place++)
        whittle_mach_release_right(MACH_MSG_TYPE_PORT_SEND, whittle_mach_right_take(rights, place));
    if (rights->out_of_line != NULL)
        (void)vm_deallocate(mach_task_self(), (vm_address_t)(uintptr_t)rights->out_of_line, (size_t)rights->received_count * rights->each);
    free(rights->sent);
    rights->sent = NULL;
    rights->out_of_line = NULL;
    rights->count = rights->room = rights->received_count = 0;
}

const char *whittle_mach_complex(char *message, size_t *n, bool *is_out_of_line, struct whittle_mach_rights *rights)
{
    const struct whittle_mach_head *const head = (const struct whittle_mach_head *)(const void *)message;
    const size_t size = head->header.msgh_size;
    const bool is_inline = whittle_mach_type_is(&head->type, &whittle_mach_inline_type);
    const char *bytes = message + WHITTLE_MACH_HEAD;
    struct whittle_mach_descriptor item;
    *n = head->type.msgtl_number;
    *is_out_of_line = !is_inline;
    /* The memory is the receiver's to release, whatever the sender said. */
    if (!is_inline && !whittle_mach_type_is(&head->type, &whittle_mach_out_of_line_type) && !whittle_mach_type_is(&head->type, &whittle_mach_moved_type))
        return NULL;
    const size_t here = is_inline ? *n : sizeof(void *);
    if (here > size - WHITTLE_MACH_HEAD)
        return NULL;
    if (!is_inline)
        memcpy(&bytes, message + WHITTLE_MACH_HEAD, sizeof bytes);
    const size_t at = whittle_mach_round_up(WHITTLE_MACH_HEAD + here);
    if (at == size)
        return is_inline ? NULL : bytes;
    /* Rights to send alone may stand behind them, and nothing behind these. */
    const bool are_rights = rights != NULL && whittle_mach_descriptor(message, size, at, &item) && item.name == MACH_MSG_TYPE_PORT_SEND
                            && item.size == 8 * (item.inlined ? sizeof(mach_port_name_inlined_t) : sizeof(mach_port_t));
    const uint64_t length = are_rights ? item.number * (item.size / 8) : 0;
    if (!are_rights || (item.inlined ? length : sizeof(void *)) > size - item.at
        || whittle_mach_round_up(item.at + (item.inlined ? (size_t)length : sizeof(void *))) != size)
        return NULL;
    rights->received = message + item.at;
    if (!item.inlined) {
        memcpy(&rights->out_of_line, message + item.at, sizeof rights->out_of_line);
        rights->received = (char *)rights->out_of_line;
    }
    rights->each = (uint32_t)(item.size / 8);
    rights->received_count = rights->received == NULL ? 0 : (uint32_t)item.number;
    return bytes;
}
