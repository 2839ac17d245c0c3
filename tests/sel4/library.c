/* The little of the C library that generated code calls. Storage is counted, so that what is not released shows. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 32, BLOCK = 4096 };
static char blocks[BLOCKS][BLOCK] __attribute__((aligned(16)));
static char taken[BLOCKS];
int live;   /* blocks that are not freed */

void *malloc(size_t size)
{
    for (int i = 0; i < BLOCKS && size <= BLOCK; i++)
        if (__atomic_exchange_n(&taken[i], 1, __ATOMIC_ACQ_REL) == 0) {
            __atomic_add_fetch(&live, 1, __ATOMIC_RELAXED);
            return blocks[i];
        }
    return NULL;
}
void *calloc(size_t count, size_t size)
{
    void *const block = size != 0 && count > BLOCK / size ? NULL : malloc(count * size);
    return block == NULL ? NULL : memset(block, 0, count * size);
}
void free(void *block)
{
    if (block == NULL)
        return;
    __atomic_sub_fetch(&live, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&taken[((uintptr_t)block - (uintptr_t)blocks) / BLOCK], 0, __ATOMIC_RELEASE);
}
void *memcpy(void *to, const void *from, size_t n)
{
    typedef uint64_t __attribute__((may_alias, aligned(1))) word;
    char *t = to;
    const char *f = from;
    for (; n >= 8; n -= 8, t += 8, f += 8)
        *(word *)t = *(const word *)f;
    while (n-- > 0)
        *t++ = *f++;
    return to;
}
void *memmove(void *to, const void *from, size_t n)
{
    char *t = to;
    const char *f = from;
    if (t <= f)
        return memcpy(to, from, n);
    while (n-- > 0)
        t[n] = f[n];
    return to;
}
void *memset(void *to, int byte, size_t n)
{
    char *t = to;
    while (n-- > 0)
        *t++ = (char)byte;
    return to;
}
void *memchr(const void *in, int byte, size_t n)
{
    for (const char *at = in; n-- > 0; at++)
        if (*at == (char)byte)
            return (void *)(uintptr_t)at;
    return NULL;
}
int memcmp(const void *a, const void *b, size_t n)
{
    const unsigned char *x = a, *y = b;
    for (; n-- > 0; x++, y++)
        if (*x != *y)
            return *x < *y ? -1 : 1;
    return 0;
}
size_t strlen(const char *text)
{
    size_t n = 0;
    while (text[n] != 0)
        n++;
    return n;
}
int strcmp(const char *a, const char *b)
{
    for (; *a != 0 && *a == *b; a++, b++)
        ;
    return (unsigned char)*a - (unsigned char)*b;
}
