/* whittle: --why limit --effects wrong.effects */
#include <whittle/specialize.h>

int ask(const char *question);
static int limit;

WHITTLE_SPECIALIZE int root(int *out)
{
    limit = 3;
    *out = ask("how much?");
    WHITTLE_STATIC(limit);
    return limit;
}
