/* whittle: --why room */
#include <whittle/specialize.h>

static int half(int value) { return value / 2; }

WHITTLE_SPECIALIZE int root(int size)
{
    int room = half(size) + 1;
    if (room > 3)
        return 1;
    return 0;
}
