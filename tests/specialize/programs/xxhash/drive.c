#include <stdlib.h>
#include "key.h"

enum { KEYS = 500 };
static struct key keys[KEYS];

void prepare(unsigned seed)
{
    srand(seed + 1);
    for (unsigned long i = 0; i < sizeof keys; i++)
        ((unsigned char *)keys)[i] = (unsigned char)rand();
}

unsigned long drive(void)
{
    unsigned long sum = 0;
    for (int n = 0; n < KEYS; n++)
        sum = 31 * sum + hash_key(&keys[n]) + hash_short(&keys[n]);
    return sum;
}
