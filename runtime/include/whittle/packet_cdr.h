/* SPDX-License-Identifier: MIT-0 */
/* Packets of flows in CDR, big-endian, so that unlike machines understand each other: the functions around their routines. */
#ifndef WHITTLE_PACKET_CDR_H
#define WHITTLE_PACKET_CDR_H
#include <whittle/cdr_in.h>
#include <whittle/cdr_out.h>

/*: cdr_write needs bool cdr_out */
/* A packet; how many bytes it takes, 0 where it is at fault or there is no room. */
WHITTLE_IN_PLACE size_t whittle_cdr_write(const void *packet, uint8_t *at, size_t room,
                                          char *(*encode)(struct whittle_cdr_out *, char *, const void *))
{
    struct whittle_cdr_out out = {(char *)at, (const char *)at + room, NULL, NULL, 0, 0, 0};
    const char *const end = encode(&out, (char *)at, packet);
    return end == NULL ? 0 : (size_t)(end - (const char *)at);
}

/*: cdr_read needs bool cdr_in */
/* Released item by item, from what the items hold outwards. */
WHITTLE_SHARED void *whittle_cdr_in_heap(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    (void)in, (void)release;
    return malloc(size * count);
}

/* A packet of exactly these bytes into zeroed storage. On false nothing is left allocated. */
WHITTLE_IN_PLACE bool whittle_cdr_read(void *packet, const uint8_t *at, size_t bytes,
                                       const char *(*decode)(struct whittle_cdr_in *, const char *, void *),
                                       void (*release)(void *))
{
    const char *const from = (const char *)at;
    struct whittle_cdr_in in = {from, from + bytes, 0, 0, false, whittle_cdr_in_heap, 0, NULL, NULL, 0};
    const char *const end = decode(&in, from, packet);
    if (end != NULL && end == in.end)
        return true;
    if (release != NULL)
        release(packet);
    return false;
}

/*: end_of_packet_cdr */
#endif
