#include <stdlib.h>
#include <string.h>
#include "tree.h"

enum { ITEMS = 128 };
static double amounts[ITEMS], rates[ITEMS], limits[ITEMS];

void prepare(unsigned seed)
{
    srand(seed + 1);
    for (int n = 0; n < ITEMS; n++) {
        amounts[n] = rand() % 10000 / 7.0;
        rates[n] = rand() % 20 / 100.0;
        limits[n] = rand() % 10000 / 9.0;
    }
}

unsigned long drive(void)
{
    unsigned long sum = 0;
    for (int n = 0; n < ITEMS; n++) {
        double result = 0;
        unsigned long bits;
        sum = 5 * sum + (unsigned long)price(amounts[n], rates[n], limits[n], &result);
        memcpy(&bits, &result, sizeof bits);
        sum = 3 * sum + bits;
    }
    return sum;
}
