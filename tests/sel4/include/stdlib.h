/* What generated code uses of the C library, for a root task that has none. */
#ifndef SEL4_STDLIB_H
#define SEL4_STDLIB_H
#include <stddef.h>
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void free(void *block);
#endif
