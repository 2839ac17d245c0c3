#include <stddef.h>

struct event {
    int level, code;
    unsigned long address;
    const char *name;
    char kind;
};
int write_line(char *into, size_t size, const struct event *event);
