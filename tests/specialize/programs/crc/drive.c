#include <stdlib.h>
#include "crc.h"

enum { PACKETS = 8, LONGEST = 100 };
static unsigned char packets[PACKETS][LONGEST];
static size_t sizes[PACKETS];

void prepare(unsigned seed)
{
    srand(seed + 1);
    for (int n = 0; n < PACKETS; n++) {
        sizes[n] = (size_t)rand() % (LONGEST + 1);
        for (int i = 0; i < LONGEST; i++)
            packets[n][i] = (unsigned char)rand();
    }
}

unsigned long drive(void)
{
    unsigned long sum = 0;
    for (int n = 0; n < PACKETS; n++) {
        sum = 3 * sum + crc_ccitt(packets[n], sizes[n]);
        sum = 3 * sum + crc_ethernet(packets[n], sizes[n]);
    }
    return sum;
}
