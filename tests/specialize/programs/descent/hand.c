#include "descent.h"

int score(int x, int y, int z, int *result)
{
    const unsigned a = (unsigned)x, b = (unsigned)y, c = (unsigned)z;
    if (y == 0)
        return -1;
    *result = (int)(3 * a * (b - 12) + (unsigned)(x % 7 / y) + (c + 4 * (a - c)));
    return 0;
}
