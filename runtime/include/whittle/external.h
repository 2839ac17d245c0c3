/* SPDX-License-Identifier: MIT-0 */
/* Routines that the user supplies for types that the interface file does not define. */
#ifndef WHITTLE_EXTERNAL_H
#define WHITTLE_EXTERNAL_H
#include <rpc/rpc.h>
#include <whittle/words.h>

/*: freeing needs attributes */
/* The handle with which a routine is asked to let go of what it allocated. */
WHITTLE_INLINE XDR whittle_freeing(void)
{
    XDR xdrs;
    memset(&xdrs, 0, sizeof xdrs);
    xdrs.x_op = XDR_FREE;
    return xdrs;
}

/*: end_of_external */
#endif
