#include <stdlib.h>
#include "adler.h"

enum { TEXTS = 200 };
static unsigned char texts[TEXTS][20];
static unsigned long sums[TEXTS];

void prepare(unsigned seed)
{
    srand(seed + 1);
    for (int n = 0; n < TEXTS; n++) {
        for (int i = 0; i < 20; i++)
            texts[n][i] = (unsigned char)(rand() % 8 == 0 ? 255 : rand() >> 4);
        sums[n] = (unsigned long)(rand() % 65521) << 16 | (unsigned long)(rand() % 65521);
    }
}

unsigned long drive(void)
{
    unsigned long sum = 0;
    for (int n = 0; n < TEXTS; n++) {
        sum = 3 * sum + adler_of_20(texts[n]);
        sum = 3 * sum + adler_of_9(sums[n], texts[n]);
        sum = 3 * sum + adler_joined(sums[n], sums[(n + 1) % TEXTS]);
    }
    return sum;
}
