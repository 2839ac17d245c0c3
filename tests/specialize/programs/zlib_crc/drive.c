#include <stdlib.h>
#include "crc.h"

enum { SECTORS = 8, HEADERS = 64 };
static unsigned char sectors[SECTORS][512] __attribute__((aligned(8)));
static unsigned char headers[HEADERS][26];
static unsigned long joined[HEADERS][2];

void prepare(unsigned seed)
{
    srand(seed + 1);
    for (int n = 0; n < SECTORS; n++)
        for (int i = 0; i < 512; i++)
            sectors[n][i] = (unsigned char)(rand() >> 4);
    for (int n = 0; n < HEADERS; n++) {
        for (int i = 0; i < 26; i++)
            headers[n][i] = (unsigned char)(rand() >> 4);
        for (int i = 0; i < 2; i++)
            joined[n][i] = (((unsigned long)rand() << 16) ^ (unsigned long)rand()) & 0xffffffff;
    }
}

unsigned long drive(void)
{
    unsigned long sum = 0;
    for (int n = 0; n < SECTORS; n++)
        sum = 3 * sum + crc_sector(sectors[n]);
    for (int n = 0; n < HEADERS; n++) {
        sum = 3 * sum + crc_header(headers[n]);
        sum = 3 * sum + join_sectors(joined[n][0], joined[n][1]);
    }
    return sum;
}
