#include <stdlib.h>
#include "descent.h"

enum { ITEMS = 64 };
static int values[ITEMS][3];

void prepare(unsigned seed)
{
    srand(seed + 1);
    for (int n = 0; n < ITEMS; n++)
        for (int i = 0; i < 3; i++)
            values[n][i] = i == 1 ? rand() % 9 - 3 : rand() % 100000 - 50000;
}

unsigned long drive(void)
{
    unsigned long sum = 0;
    for (int n = 0; n < ITEMS; n++) {
        int result = 0;
        sum = 5 * sum + (unsigned long)score(values[n][0], values[n][1], values[n][2], &result);
        sum = 3 * sum + (unsigned)result;
    }
    return sum;
}
