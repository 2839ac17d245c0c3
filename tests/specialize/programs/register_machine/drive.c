#include <stdlib.h>
#include "vm.h"

enum { CALLS = 6 };
static int64_t arguments[CALLS];

void prepare(unsigned seed)
{
    srand(seed + 1);
    for (int n = 0; n < CALLS; n++)
        arguments[n] = rand() % 18 - 2;
    arguments[0] = 15;
}

unsigned long drive(void)
{
    unsigned long sum = 0;
    for (int n = 0; n < CALLS; n++)
        sum = 7 * sum + (unsigned long)fibonacci(arguments[n]);
    return sum;
}
