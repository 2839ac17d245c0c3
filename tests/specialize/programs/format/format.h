#include <stdarg.h>
#include <stddef.h>

/* Like vsnprintf, for %d, %u, %x, %c, %s and %%, with flags `0` and `-`, and a width. */
int format_list(char *buffer, size_t size, const char *format, va_list list);
int format_text(char *buffer, size_t size, const char *format, ...);

struct event {
    int number;
    unsigned address;
    const char *name;
    char kind;
    int delta;
};

int write_event(char *buffer, size_t size, const struct event *event);
