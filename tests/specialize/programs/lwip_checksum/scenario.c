#include <whittle/specialize.h>
#include <lwip/pbuf.h>
#include "sums.h"

WHITTLE_SPECIALIZE
u16_t header_sum(const void *header)
{
    WHITTLE_FACT(((unsigned long)header & 1) == 0);
    return inet_chksum(header, 20);
}

WHITTLE_SPECIALIZE
u16_t packet_sum(void *tcp, void *options, void *text)
{
    struct pbuf last = { .payload = text, .len = 43, .tot_len = 43 };
    struct pbuf middle = { .next = &last, .payload = options, .len = 13, .tot_len = 56 };
    struct pbuf first = { .next = &middle, .payload = tcp, .len = 20, .tot_len = 76 };
    WHITTLE_FACT(((unsigned long)tcp & 1) == 0);
    WHITTLE_FACT(((unsigned long)options & 1) == 0);
    WHITTLE_FACT(((unsigned long)text & 1) == 0);
    return inet_chksum_pbuf(&first);
}

WHITTLE_SPECIALIZE
u16_t udp_sum(void *udp, const ip4_addr_t *from, const ip4_addr_t *to)
{
    struct pbuf only = { .payload = udp, .len = 8, .tot_len = 8 };
    WHITTLE_FACT(((unsigned long)udp & 1) == 0);
    return inet_chksum_pseudo(&only, 17, 8, from, to);
}
