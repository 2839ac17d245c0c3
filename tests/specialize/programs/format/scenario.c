#include <whittle/specialize.h>
#include "format.h"

WHITTLE_SPECIALIZE
int write_event(char *buffer, size_t size, const struct event *event)
{
    return format_text(buffer, size, "#%d at %08x: %-10s [%c] %5d%%\n", event->number, event->address, event->name, event->kind,
                       event->delta);
}
