/* Requests that are written by hand. */
#ifndef FORGED_H
#define FORGED_H
#include <stdint.h>
#include <string.h>
#include <mach.h>

/* Requests by hand: the bytes, a second item, rights, memory. */
struct forged {
    mach_msg_header_t header;
    mach_msg_type_long_t type;
    uint32_t lead[2];
    int32_t numbers[2];
    mach_msg_type_long_t other;
    mach_port_name_inlined_t port;
    char beyond[64];
};
static mach_msg_type_long_t type_of(unsigned name, unsigned size, unsigned number, int is_inline)
{
    mach_msg_type_long_t type;
    memset(&type, 0, sizeof type);
    type.msgtl_header.msgt_longform = sizeof type > sizeof(mach_msg_type_t);
    type.msgtl_header.msgt_inline = is_inline != 0;
    type.msgtl_name = (unsigned char)name;
    type.msgtl_size = (unsigned short)size;
    type.msgtl_number = number;
    return type;
}
static struct forged good(mach_port_t to, mach_port_t reply)
{
    struct forged forged;
    memset(&forged, 0, sizeof forged);
    forged.header.msgh_bits = MACH_MSGH_BITS(MACH_MSG_TYPE_COPY_SEND, reply == MACH_PORT_NULL ? 0 : MACH_MSG_TYPE_MAKE_SEND_ONCE);
    forged.header.msgh_remote_port = to;
    forged.header.msgh_local_port = reply;
    forged.type = type_of(MACH_MSG_TYPE_BYTE, 8, 16, 1);
    forged.lead[0] = 500;
    forged.numbers[0] = 3, forged.numbers[1] = 4;
    return forged;
}

/* What messages call an operation. */
static int id_of(const char *name)
{
    uint32_t hash = 0x811c9dc5;
    for (; *name != 0; name++)
        hash = (hash ^ (uint8_t)*name) * 0x01000193;
    return (int)((hash & 0x3fffffff) | 0x40000000);
}
#endif
