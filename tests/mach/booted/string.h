/* What the kernel's test library has, and what it lacks. */
#include_next <string.h>
#ifndef BOOTED_STRING_H
#define BOOTED_STRING_H
#include <stddef.h>
void *memchr(const void *bytes, int byte, size_t n);
#endif
