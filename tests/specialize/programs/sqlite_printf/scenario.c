#include <whittle/specialize.h>
#include "line.h"
#include "sqlite3.h"

WHITTLE_SPECIALIZE
void write_line(char *into, int size, const struct event *event)
{
    sqlite3_snprintf(size, into, "[%3d] %-10s %c at 0x%08lx: code %+d\n", event->level, event->name, event->kind, event->address, event->code);
}
