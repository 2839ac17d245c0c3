/* Storage for programs that the kernel boots; support.h has it. */
#ifndef STDLIB_H
#define STDLIB_H
#include <stddef.h>
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *old, size_t size);
void free(void *storage);
void abort(void) __attribute__((noreturn));
#endif
