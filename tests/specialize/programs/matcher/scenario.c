#include <whittle/specialize.h>
#include "match.h"

WHITTLE_SPECIALIZE
int match_number(const char *text)
{
    return match("ab*c.d$", text);
}
