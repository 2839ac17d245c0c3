#include <stdlib.h>
#include <string.h>
#include "sort.h"

enum { ARRAYS = 8, LONGEST = 120 };
static int given[ARRAYS][LONGEST], sorted[LONGEST];
static size_t counts[ARRAYS];

void prepare(unsigned seed)
{
    srand(seed + 1);
    for (int n = 0; n < ARRAYS; n++) {
        const int range = n % 2 ? 1000000 : 20;
        counts[n] = (size_t)(rand() % (LONGEST + 1));
        for (size_t i = 0; i < counts[n]; i++)
            given[n][i] = rand() % range - range / 2;
    }
}

unsigned long drive(void)
{
    unsigned long sum = 0;
    for (int n = 0; n < ARRAYS; n++) {
        memcpy(sorted, given[n], sizeof sorted);
        sort_numbers(sorted, counts[n]);
        for (size_t i = 0; i < counts[n]; i++)
            sum = 31 * sum + (unsigned long)sorted[i];
    }
    return sum;
}
