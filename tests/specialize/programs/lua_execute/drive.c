#include <stdlib.h>
#include "run.h"

enum { TIMES = 40 };
static lua_Integer sums[TIMES], pairs[TIMES][2];

void prepare(unsigned seed)
{
    srand(seed + 1);
    for (int n = 0; n < TIMES; n++) {
        sums[n] = rand() % 60 - 3;
        const int factor = 1 + rand() % 500;
        pairs[n][0] = (lua_Integer)(rand() % 100000) * factor * (rand() % 8 == 0 ? -1 : 1);
        pairs[n][1] = (lua_Integer)(rand() % 100000) * factor * (rand() % 8 == 0 ? -1 : 1);
    }
}

unsigned long drive(void)
{
    unsigned long sum = 0;
    for (int n = 0; n < TIMES; n++) {
        sum = 3 * sum + (unsigned long)sum_of_remainders(sums[n]);
        sum = 3 * sum + (unsigned long)greatest_divisor(pairs[n][0], pairs[n][1]);
    }
    return sum;
}
