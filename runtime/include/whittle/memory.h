/* SPDX-License-Identifier: MIT-0 */
/*
 * Is this XDR one of libtirpc's memory streams? Its fields are used directly only after a trial showed that they mean
 * what is expected: x_private the position, x_handy the room left. Whatever else it may be goes through its operations.
 */
#ifndef WHITTLE_MEMORY_H
#define WHITTLE_MEMORY_H
#include <rpc/rpc.h>
#include <whittle/words.h>

/*: memory_trial needs attributes */
WHITTLE_COLD int whittle_memory_trial(XDR *xdrs, char *buffer, int encodes)
{
    char four[4] = {1, 2, 3, 4};
    long word = 0x05060708;
    char *space;
    int moved;
    if (xdrs->x_ops == NULL || (char *)xdrs->x_private != buffer || xdrs->x_handy != 20)
        return 0;
    if (!(encodes ? XDR_PUTBYTES(xdrs, four, 4) : XDR_GETBYTES(xdrs, four, 4)))
        return 0;
    if ((char *)xdrs->x_private != buffer + 4 || xdrs->x_handy != 16 || memcmp(buffer, four, 4) != 0)
        return 0;
    xdrs->x_private = buffer + 8;
    xdrs->x_handy = 12;
    if (XDR_GETPOS(xdrs) != 8 || !(encodes ? XDR_PUTLONG(xdrs, &word) : XDR_GETLONG(xdrs, &word)))
        return 0;
    if ((char *)xdrs->x_private != buffer + 12 || xdrs->x_handy != 8 || word != 0x05060708)
        return 0;
    if (buffer[8] != 5 || buffer[11] != 8)
        return 0;
    space = (char *)XDR_INLINE(xdrs, 4);
    moved = space == NULL ? 0 : 4;
    if ((char *)xdrs->x_private != buffer + 12 + moved || (int)xdrs->x_handy != 8 - moved)
        return 0;
    if (space != NULL && space != buffer + 12)
        return 0;
    xdrs->x_handy = 0;
    return XDR_INLINE(xdrs, 4) == NULL && !(encodes ? XDR_PUTBYTES(xdrs, four, 4) : XDR_GETBYTES(xdrs, four, 4));
}

/*: is_memory needs memory_trial */
/* The operations of aligned and unaligned memory streams, and whether they have been tried. */
static const void *whittle_memory_operations[2];
static int whittle_memory_tried;

WHITTLE_COLD void whittle_memory_try(void)
{
    union { uint32_t aligned[6]; char bytes[24]; } storage;
    int unaligned, encodes;
    for (unaligned = 0; unaligned < 2; unaligned++) {
        const void *operations[2] = {NULL, NULL};
        for (encodes = 0; encodes < 2; encodes++) {
            char *const buffer = storage.bytes + unaligned;
            const void *found;
            XDR xdrs;
            memset(&xdrs, 0, sizeof xdrs);
            memcpy(buffer, "\1\2\3\4....\5\6\7\10........", 20);
            xdrmem_create(&xdrs, buffer, 20, encodes ? XDR_ENCODE : XDR_DECODE);
            found = (const void *)xdrs.x_ops;
            if (whittle_memory_trial(&xdrs, buffer, encodes))
                operations[encodes] = found;
        }
        if (operations[0] == operations[1] && operations[0] != NULL)
            __atomic_store_n(&whittle_memory_operations[unaligned], operations[0], __ATOMIC_RELAXED);
    }
    __atomic_store_n(&whittle_memory_tried, 1, __ATOMIC_RELEASE);
}

WHITTLE_COLD int whittle_is_memory_at_last(const void *operations)
{
    if (!__atomic_load_n(&whittle_memory_tried, __ATOMIC_ACQUIRE))
        whittle_memory_try();
    return operations != NULL && (operations == __atomic_load_n(&whittle_memory_operations[0], __ATOMIC_RELAXED) ||
                                  operations == __atomic_load_n(&whittle_memory_operations[1], __ATOMIC_RELAXED));
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
