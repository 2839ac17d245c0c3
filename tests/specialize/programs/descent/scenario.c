#include <whittle/specialize.h>
#include <stddef.h>
#include "descent.h"

WHITTLE_SPECIALIZE
int score(int x, int y, int z, int *result)
{
    const struct binding bindings[] = { { 'x', x }, { 'y', y }, { 'z', z } };
    return evaluate("3 * x * (y - 12) + (x % 7) / y - -(z + 4 * (x - z))", bindings, 3, result, NULL);
}
