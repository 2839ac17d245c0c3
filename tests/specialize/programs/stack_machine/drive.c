#include <stdlib.h>
#include "machine.h"

enum { ARRAYS = 16, LONGEST = 100 };
static uint32_t words[ARRAYS][LONGEST];
static uint32_t counts[ARRAYS];

void prepare(unsigned seed)
{
    srand(seed + 1);
    for (int n = 0; n < ARRAYS; n++) {
        counts[n] = n == 3 ? 0 : (uint32_t)rand() % (LONGEST + 1);
        for (int i = 0; i < LONGEST; i++)
            words[n][i] = (uint32_t)rand() * 7 + (uint32_t)rand();
    }
}

unsigned long drive(void)
{
    unsigned long sum = 0;
    for (int n = 0; n < ARRAYS; n++) {
        uint32_t result = 0;
        sum = 5 * sum + (unsigned long)hash_words(words[n], counts[n], &result);
        sum = 3 * sum + result;
    }
    return sum;
}
