#include <stddef.h>

struct event {
    int level, code;
    unsigned long address;
    const char *name;
    char kind;
};
void write_line(char *into, int size, const struct event *event);
