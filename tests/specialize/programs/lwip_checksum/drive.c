#include <stdlib.h>
#include "sums.h"

enum { PACKETS = 100 };
static struct { u16_t header[10], tcp[10], options[7], text[22]; ip4_addr_t from, to; } packets[PACKETS];

void prepare(unsigned seed)
{
    srand(seed + 1);
    for (int n = 0; n < PACKETS; n++) {
        u16_t *words = (u16_t *)&packets[n];
        for (size_t i = 0; i < sizeof packets[n] / sizeof *words; i++)
            words[i] = (u16_t)(rand() % 4 == 0 ? 0xffff : rand() >> 4);
    }
}

unsigned long drive(void)
{
    unsigned long sum = 0;
    for (int n = 0; n < PACKETS; n++) {
        sum = 3 * sum + header_sum(packets[n].header);
        sum = 3 * sum + packet_sum(packets[n].tcp, packets[n].options, packets[n].text);
        sum = 3 * sum + udp_sum(packets[n].tcp, &packets[n].from, &packets[n].to);
    }
    return sum;
}
