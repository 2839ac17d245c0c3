#include <stdint.h>
#include <string.h>
#include "sums.h"

static inline uint64_t word(const void *at)
{
    uint32_t word;
    memcpy(&word, at, 4);
    return word;
}

/* The sum of a multiple of 4 bytes; the carries come home in `folded`. */
static inline uint64_t sum(const char *at, int bytes)
{
    uint64_t sum = 0;
    for (int i = 0; i < bytes; i += 4)
        sum += word(at + i);
    return sum;
}

static inline u16_t folded(uint64_t sum)
{
    sum = (sum >> 32) + (sum & 0xffffffff);
    sum = (sum >> 16 & 0xffff) + (sum & 0xffff) + (sum >> 32);
    sum = (sum >> 16) + (sum & 0xffff);
    return (u16_t)((sum >> 16) + sum);
}

u16_t header_sum(const void *header)
{
    return (u16_t)~folded(sum(header, 20));
}

u16_t packet_sum(void *tcp, void *options, void *text)
{
    const uint64_t before = sum(tcp, 20) + sum(options, 12) + ((u8_t *)options)[12];
    const uint64_t behind = sum(text, 40) + ((u16_t *)text)[20] + ((u8_t *)text)[42];
    return (u16_t)~folded(before + (behind << 8));      /* the text begins at an odd place */
}

u16_t udp_sum(void *udp, const ip4_addr_t *from, const ip4_addr_t *to)
{
    return (u16_t)~folded(sum(udp, 8) + from->addr + to->addr + PP_HTONS(17) + PP_HTONS(8));
}
