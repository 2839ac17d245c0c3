#include <string.h>
#include <whittle/specialize.h>
#include "../musl_vfprintf/line.h"
#include "sqlite3.h"

WHITTLE_SPECIALIZE
int write_line(char *into, size_t size, const struct event *event)
{
    sqlite3_snprintf((int)size, into, "[%3d] %-10s %c at 0x%08lx: code %+d\n", event->level, event->name, event->kind, event->address, event->code);
    return size == 0 ? 0 : (int)strnlen(into, size - 1);
}
