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
/* The operations of aligned and unaligned memory streams, and whether they have been tried. */
static const void *whittle_memory_operations[2];
static int whittle_memory_tried;

/* Four bytes on a stream that was moved on by hand, and as many that are not there. Its operations, if all was as expected. */
WHITTLE_COLD const void *whittle_memory_trial(char *buffer, int encodes)
{
    XDR xdrs;
    char word[4] = {1, 2, 3, 4};
    int tries;
    memset(&xdrs, 0, sizeof xdrs);
    xdrmem_create(&xdrs, buffer, 12, encodes ? XDR_ENCODE : XDR_DECODE);
    if ((char *)xdrs.x_private != buffer || xdrs.x_handy != 12)
        return NULL;
    xdrs.x_private = buffer + 4;
    xdrs.x_handy = 4;
    if (XDR_GETPOS(&xdrs) != 4)
        return NULL;
    for (tries = 0; tries < 2; tries++)
        if ((encodes ? XDR_PUTBYTES(&xdrs, word, 4) : XDR_GETBYTES(&xdrs, word, 4)) != (tries == 0))
            return NULL;
    if ((char *)xdrs.x_private != buffer + 8 || xdrs.x_handy != 0 || memcmp(buffer + 4, word, 4) != 0)
        return NULL;
    return (const void *)xdrs.x_ops;
}

WHITTLE_COLD int whittle_is_memory_at_last(const void *operations)
{
    union { uint32_t aligned[4]; char bytes[16]; } storage;
    unsigned i;
    if (!__atomic_load_n(&whittle_memory_tried, __ATOMIC_ACQUIRE)) {
        memset(&storage, 5, sizeof storage);
        for (i = 0; i < 2; i++) {
            const void *const found = whittle_memory_trial(storage.bytes + i, 1);
            if (found == whittle_memory_trial(storage.bytes + i, 0))
                __atomic_store_n(&whittle_memory_operations[i], found, __ATOMIC_RELAXED);
        }
        __atomic_store_n(&whittle_memory_tried, 1, __ATOMIC_RELEASE);
    }
    for (i = 0; i < 2; i++)
        if (operations != NULL && operations == __atomic_load_n(&whittle_memory_operations[i], __ATOMIC_RELAXED))
            return 1;
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
