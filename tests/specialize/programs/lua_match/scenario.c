#include <whittle/specialize.h>
#include "find.h"

static const char setting[] = "^(%a+)%s*=%s*(%d+)$", version[] = "([%w_]+)[-.](%d+)%.?(%d*)";

WHITTLE_SPECIALIZE
int find_setting(const char *subject, size_t length, struct found *found)
{
    return find(subject, length, setting, sizeof setting - 1, found);
}

WHITTLE_SPECIALIZE
int find_version(const char *subject, size_t length, struct found *found)
{
    return find(subject, length, version, sizeof version - 1, found);
}
