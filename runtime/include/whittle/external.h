/* SPDX-License-Identifier: MIT-0 */
/* Routines that the user supplies for types that the interface file does not define. */
#ifndef WHITTLE_EXTERNAL_H
#define WHITTLE_EXTERNAL_H
#include <rpc/rpc.h>
#include <whittle/in.h>

/*: freeing needs attributes */
/* The handle with which a routine is asked to release what it allocated. */
WHITTLE_IN_PLACE XDR whittle_freeing(void)
{
    XDR xdrs;
    memset(&xdrs, 0, sizeof xdrs);
    xdrs.x_op = XDR_FREE;
    return xdrs;
}

/*: in_own_external needs in_own */
/* An object of the caller's that was empty is ours to release, whatever the user's routine hangs on it. */
WHITTLE_IN_PLACE int whittle_in_own_external(struct whittle_in *in, const void *object, size_t size, void *owner,
                                            void (*release)(void *owner))
{
    const char *const bytes = (const char *)object;
    size_t i;
    if (in->fresh)
        return 1;
    for (i = 0; i < size; i++)
        if (bytes[i] != 0)
            return 1;
    return whittle_in_own(in, owner, release);
}

/*: end_of_external */
#endif
