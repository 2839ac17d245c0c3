#include <stdlib.h>
#include <string.h>
#include "packet.h"

enum { PACKETS = 80 };
static struct { u8_t ip[20], tcp[20], text[64]; } packets[PACKETS];

void prepare(unsigned seed)
{
    srand(seed + 1);
    for (int n = 0; n < PACKETS; n++) {
        u8_t *bytes = (u8_t *)&packets[n];
        for (size_t i = 0; i < sizeof packets[n]; i++)
            bytes[i] = (u8_t)(rand() >> 4);
        memcpy(packets[n].text, "GET ", (size_t)(rand() % 6 % 5));
    }
}

static unsigned long folded(unsigned long sum, const void *at, size_t size)
{
    for (; size > 0; size -= 8, at = (const char *)at + 8) {
        unsigned long word;
        memcpy(&word, at, 8);
        sum = 3 * sum + word;
    }
    return sum;
}

unsigned long drive(void)
{
    unsigned long sum = 0;
    for (int n = 0; n < PACKETS; n++) {
        struct fields f;
        u8_t room[72] = { 0 };
        read_packet(packets[n].ip, packets[n].tcp, packets[n].text, &f);
        sum = 3 * sum + f.version + 16ul * f.protocol + 4096ul * f.flags + 7ul * f.length + 11ul * f.port + 13ul * f.from + (unsigned long)f.is_get;
        sum = folded(sum, f.line, sizeof f.line);
        sum += gather(packets[n].ip, packets[n].tcp, packets[n].text, room);
        sum = folded(sum, room, sizeof room);
    }
    return sum;
}
