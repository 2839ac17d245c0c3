/* whittle:  */
#include <whittle/specialize.h>

static int room(int size) { return size - 4; }

WHITTLE_SPECIALIZE int root(int size, int *out)
{
    int left = room(size);
    WHITTLE_STATIC(left);
    *out = left;
    return left > 0;
}
