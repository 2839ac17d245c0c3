/* whittle:  */
#include <whittle/specialize.h>

int ask(void);
int limit;

WHITTLE_SPECIALIZE int root(int *out)
{
    limit = 3;
    *out = ask();
    WHITTLE_STATIC(limit);
    return limit;
}
