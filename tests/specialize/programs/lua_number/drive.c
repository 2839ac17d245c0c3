#include <stdlib.h>
#include <string.h>
#include "number.h"

enum { VALUES = 200 };
static TValue values[VALUES];

void prepare(unsigned seed)
{
    srand(seed + 1);
    for (int n = 0; n < VALUES; n++) {
        const lua_Integer number = (lua_Integer)rand() << rand() % 33 ^ rand();
        switch (rand() % 8) {
        case 0: case 1: case 2: case 3:
            setivalue(&values[n], rand() % 2 ? number : -number);
            break;
        case 4:
            setfltvalue(&values[n], (lua_Number)(number % 100000) - 50000);
            break;
        case 5: case 6:
            setfltvalue(&values[n], (lua_Number)number / 1024 - 5e6);
            break;
        default:
            setbtvalue(&values[n]);     /* not a number */
        }
    }
}

static unsigned long fold(unsigned long sum, int done, const TValue *result)
{
    unsigned long bits;
    memcpy(&bits, &result->value_, sizeof bits);
    return done ? 5 * sum + bits + result->tt_ : 3 * sum;
}

unsigned long drive(void)
{
    unsigned long sum = 0;
    TValue result;
    for (int n = 0; n < VALUES; n++) {
        int done = scaled(&values[n], &result);
        sum = fold(sum, done, &result);
        done = shifted(&values[n], &result);
        sum = fold(sum, done, &result);
        done = halved(&values[n], &result);
        sum = fold(sum, done, &result);
    }
    return sum;
}
