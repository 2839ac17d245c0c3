/* SPDX-License-Identifier: MIT-0 */
/*
 * Is this XDR one of libtirpc's memory streams? Its fields are used directly only after a trial showed that they mean
 * what is expected: x_private the position, x_handy the room left. Whatever else it may be goes through its operations.
 */
#ifndef WHITTLE_MEMORY_H
#define WHITTLE_MEMORY_H
#include <rpc/rpc.h>
#include <whittle/words.h>

/*: is_memory needs attributes */
/* The operations of aligned and unaligned memory streams, once they have been tried. */
static const void *whittle_memory_operations[2];

/*
 * Reads four bytes of a stream that was moved on by hand, and as many that are not there. Its operations, if all was as expected, or
 * what is nobody's. */
WHITTLE_COLD const void *whittle_memory_trial(char *buffer)
{
    XDR xdrs;
    char word[4] = {0, 0, 0, 0};
    memset(&xdrs, 0, sizeof xdrs);
    memset(buffer + 4, 1, 4);
    xdrmem_create(&xdrs, buffer, 12, XDR_DECODE);
    if ((char *)xdrs.x_private != buffer || xdrs.x_handy != 12)
        return whittle_memory_operations;
    xdrs.x_private = buffer + 4;
    xdrs.x_handy = 4;
    if (XDR_GETPOS(&xdrs) != 4 || !XDR_GETBYTES(&xdrs, word, 4) || XDR_GETBYTES(&xdrs, buffer, 4))
        return whittle_memory_operations;
    if ((char *)xdrs.x_private != buffer + 8 || xdrs.x_handy != 0 || memcmp(buffer + 4, word, 4) != 0)
        return whittle_memory_operations;
    return (const void *)xdrs.x_ops;
}

WHITTLE_APART int whittle_is_memory_at_last(const void *operations)
{
    union { uint32_t aligned[4]; char bytes[16]; } storage;
    unsigned i;
    memset(&storage, 5, sizeof storage);
    for (i = 0; i < 2; i++) {
        const void *found = __atomic_load_n(&whittle_memory_operations[i], __ATOMIC_RELAXED);
        if (found == NULL) {
            found = whittle_memory_trial(storage.bytes + i);
            __atomic_store_n(&whittle_memory_operations[i], found, __ATOMIC_RELAXED);
        }
        if (found == operations)
            return 1;
    }
    return 0;
}

/* At first sight: false of memory streams, too, that nobody has tried yet. */
WHITTLE_IN_PLACE int whittle_is_known_memory(const XDR *xdrs)
{
    const void *const operations = (const void *)xdrs->x_ops;
    return WHITTLE_LIKELY(operations == __atomic_load_n(&whittle_memory_operations[0], __ATOMIC_RELAXED)) && operations;
}

WHITTLE_IN_PLACE int whittle_is_memory(const XDR *xdrs)
{
    return whittle_is_known_memory(xdrs) || whittle_is_memory_at_last((const void *)xdrs->x_ops);
}

/*: end_of_memory */
#endif
