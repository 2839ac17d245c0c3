#include <whittle/specialize.h>
#include "../musl_vfprintf/line.h"
#include "stb_sprintf.h"

WHITTLE_SPECIALIZE
int write_line(char *into, size_t size, const struct event *event)
{
    return stbsp_snprintf(into, (int)size, "[%3d] %-10s %c at 0x%08lx: code %+d\n", event->level, event->name, event->kind, event->address, event->code);
}
