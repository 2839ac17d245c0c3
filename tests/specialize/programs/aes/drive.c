#include <stdlib.h>
#include "seal.h"

enum { MESSAGES = 32 };
static unsigned char messages[MESSAGES][2 * BLOCK], vectors[MESSAGES][BLOCK], sealed[2 * BLOCK];

void prepare(unsigned seed)
{
    srand(seed + 1);
    for (int n = 0; n < MESSAGES; n++) {
        for (int i = 0; i < 2 * BLOCK; i++)
            messages[n][i] = (unsigned char)rand();
        for (int i = 0; i < BLOCK; i++)
            vectors[n][i] = (unsigned char)rand();
    }
}

unsigned long drive(void)
{
    unsigned long sum = 0;
    for (int n = 0; n < MESSAGES; n++) {
        sum = 31 * sum + (unsigned long)seal(vectors[n], messages[n], sealed);
        for (int i = 0; i < 2 * BLOCK; i++)
            sum = 31 * sum + sealed[i];
    }
    return sum;
}
