#include <stdlib.h>
#include "filters.h"

enum { PACKETS = 256, SIZE = 70 };
static u_char packets[PACKETS][SIZE];
static u_int lengths[PACKETS];

static void put(u_char *at, int bytes, unsigned long value)
{
    while (bytes > 0) {
        at[--bytes] = (u_char)value;
        value >>= 8;
    }
}

static u_int port(void)
{
    return (u_int[]){ 80, 443, 80, 22, (u_int)rand() & 0xffff }[rand() % 5];
}

static unsigned long address(void)
{
    return rand() % 2 ? 0xc0000211 : 0xc0000200 + (unsigned long)rand() % 64;
}

/* Mostly TCP over IPv4, with what a filter asks for in half of the cases; some are cut short. */
void prepare(unsigned seed)
{
    srand(seed + 1);
    for (int n = 0; n < PACKETS; n++) {
        u_char *p = packets[n];
        for (int i = 0; i < SIZE; i++)
            p[i] = (u_char)(rand() >> 4);
        const int is_6 = rand() % 6 == 0;
        put(p + 12, 2, is_6 ? 0x86dd : rand() % 10 ? 0x800 : 0x806);
        lengths[n] = rand() % 12 ? SIZE : (u_int)rand() % SIZE;
        if (is_6) {
            p[20] = rand() % 4 ? 6 : 17;
            put(p + 54, 2, port());
            put(p + 56, 2, port());
            continue;
        }
        const int words = rand() % 6 ? 5 : 5 + rand() % 5;
        p[14] = (u_char)(0x40 | words);
        put(p + 20, 2, rand() % 8 ? 0x4000 : 0x2001);
        p[23] = rand() % 5 ? 6 : 17;
        put(p + 26, 4, address());
        put(p + 30, 4, address());
        put(p + 14 + 4 * words, 2, port());
        put(p + 16 + 4 * words, 2, port());
    }
}

unsigned long drive(void)
{
    unsigned long sum = 0;
    for (int n = 0; n < PACKETS; n++) {
        sum = 3 * sum + match_web(packets[n], SIZE, lengths[n]);
        sum = 3 * sum + match_host(packets[n], SIZE, lengths[n]);
    }
    return sum;
}
