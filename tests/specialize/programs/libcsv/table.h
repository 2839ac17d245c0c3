#include <stddef.h>

struct table {
    unsigned fields, rows;
    unsigned long mixed;
};
size_t read_table(const char *text, size_t length, struct table *table);
