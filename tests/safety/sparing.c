/* SPDX-License-Identifier: MIT-0 */
/*
 * libtirpc allocates what a count promises, and then looks at all of it, which takes time. The libtirpc that rpcgen's
 * routines are linked with calls these in place of malloc and calloc.
 */
#include "safety.h"

size_t sparing_most = SIZE_MAX;
bool sparing_refused;

void *sparing_malloc(size_t size);
void *sparing_calloc(size_t items, size_t size);

static bool is_too_much(size_t size)
{
    sparing_refused |= size > sparing_most;
    return size > sparing_most;
}

void *sparing_malloc(size_t size)
{
    return is_too_much(size) ? NULL : malloc(size);
}

void *sparing_calloc(size_t items, size_t size)
{
    const bool wraps = size != 0 && items > SIZE_MAX / size;
    return is_too_much(wraps ? SIZE_MAX : items * size) ? NULL : calloc(items, size);
}
