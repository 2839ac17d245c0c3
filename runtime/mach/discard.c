/* SPDX-License-Identifier: MIT-0 */
/* Rights and memory of messages. The kernel has judged the descriptors of a message that has any. */
#include "message.h"

bool whittle_mach_descriptor(const char *message, size_t size, size_t at, struct whittle_mach_descriptor *item)
{
    mach_msg_type_long_t type;
    memset(&type, 0, sizeof type);
    if (at > size || size - at < sizeof(mach_msg_type_t))
        return false;
    memcpy(&type, message + at, sizeof(mach_msg_type_t));
    const bool is_long = type.msgtl_header.msgt_longform;
    const size_t length = is_long ? sizeof type : sizeof(mach_msg_type_t);
    if (size - at < length)
        return false;
    memcpy(&type, message + at, length);
    item->name = is_long ? type.msgtl_name : type.msgtl_header.msgt_name;
    item->size = is_long ? type.msgtl_size : type.msgtl_header.msgt_size;
    item->number = is_long ? type.msgtl_number : type.msgtl_header.msgt_number;
    item->inlined = type.msgtl_header.msgt_inline;
    item->at = at + length;
    return true;
}

void whittle_mach_release_right(unsigned kind, mach_port_t port)
{
    if (port == MACH_PORT_NULL || port == MACH_PORT_DEAD)
        return;
    if (kind == MACH_MSG_TYPE_PORT_RECEIVE)
        (void)mach_port_mod_refs(mach_task_self(), port, MACH_PORT_RIGHT_RECEIVE, -1);
    else
        (void)mach_port_deallocate(mach_task_self(), port);
}

static void whittle_mach_release_descriptor(const struct whittle_mach_descriptor *item, const char *data, size_t length)
{
    const char *list = data;
    void *out_of_line = NULL;
    if (!item->inlined) {
        memcpy(&out_of_line, data, sizeof out_of_line);
        list = (const char *)out_of_line;
    }
    if (MACH_MSG_TYPE_PORT_ANY(item->name) && item->size >= 8 * sizeof(mach_port_t) && list != NULL)
        for (uint64_t i = 0; i < item->number; i++) {
            mach_port_t port;
            memcpy(&port, list + i * (item->size / 8), sizeof port);
            whittle_mach_release_right(item->name, port);
        }
    if (out_of_line != NULL && length > 0)
        (void)vm_deallocate(mach_task_self(), (vm_address_t)(uintptr_t)out_of_line, length);
}

void whittle_mach_discard(char *message)
{
    mach_msg_header_t *const header = (mach_msg_header_t *)(void *)message;
    const size_t size = header->msgh_size;
    struct whittle_mach_descriptor item;
    whittle_mach_release_right(MACH_MSGH_BITS_REMOTE(header->msgh_bits), header->msgh_remote_port);
    header->msgh_remote_port = MACH_PORT_NULL;
    if (!(header->msgh_bits & MACH_MSGH_BITS_COMPLEX))
        return;
    header->msgh_bits &= ~(mach_msg_bits_t)MACH_MSGH_BITS_COMPLEX;
    for (size_t at = sizeof *header; whittle_mach_descriptor(message, size, at, &item);) {
        const uint64_t length = (item.size * item.number + 7) / 8;
        const uint64_t here = item.inlined ? length : sizeof(void *);
        if (here > size - item.at)
            return;
        whittle_mach_release_descriptor(&item, message + item.at, (size_t)length);
        at = whittle_mach_round_up(item.at + (size_t)here);
    }
}

void whittle_mach_discard_returned(char *message)
{
    mach_msg_header_t *const header = (mach_msg_header_t *)(void *)message;
    const unsigned kind = MACH_MSGH_BITS_LOCAL(header->msgh_bits);
    const mach_port_t port = header->msgh_local_port;
    whittle_mach_discard(message);
    whittle_mach_release_right(kind, port);
}
