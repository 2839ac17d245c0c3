#include <whittle/specialize.h>
#include "line.h"
#include "musl_stdio.h"

static int print(char *into, size_t size, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    const int length = musl_vsnprintf(into, size, format, values);
    va_end(values);
    return length;
}

WHITTLE_SPECIALIZE
int write_line(char *into, size_t size, const struct event *event)
{
    return print(into, size, "[%3d] %-10s %c at 0x%08lx: code %+d\n", event->level, event->name, event->kind, event->address, event->code);
}
