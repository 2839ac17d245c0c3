#include <stdlib.h>
#include "bf.h"

enum { TEXTS = 8, LONGEST = 20 };
static unsigned char texts[TEXTS][LONGEST];
static size_t lengths[TEXTS], rooms[TEXTS];

void prepare(unsigned seed)
{
    srand(seed + 1);
    for (int n = 0; n < TEXTS; n++) {
        lengths[n] = (size_t)rand() % (LONGEST + 1);
        rooms[n] = n == 0 ? (size_t)rand() % (LONGEST + 2) : LONGEST + 1;
        for (int i = 0; i < LONGEST; i++)
            texts[n][i] = (unsigned char)('a' + rand() % 26);
    }
}

unsigned long drive(void)
{
    unsigned long sum = 0;
    for (int n = 0; n < TEXTS; n++) {
        unsigned char result[LONGEST + 1] = { 0 };
        sum = 5 * sum + (unsigned long)shout(texts[n], lengths[n], result, rooms[n]);
        for (int i = 0; i <= LONGEST; i++)
            sum = 3 * sum + result[i];
    }
    return sum;
}
