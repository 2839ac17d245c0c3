/*
 * Encoding and decoding on a memory stream, as one function for each size and direction. Compiled as it stands it is
 * the original; the general code is libtirpc's own source and rpcgen's routines.
 */
#include <whittle/specialize.h>
#include "ints.h"

#define BOTH(N)                                                                                                        \
    WHITTLE_SPECIALIZE bool_t encode_##N(char *message, struct ints##N *value)                                         \
    {                                                                                                                  \
        XDR xdrs;                                                                                                      \
        WHITTLE_FACT(((unsigned long)message & 3) == 0);                                                               \
        xdrmem_create(&xdrs, message, 4 * N, XDR_ENCODE);                                                              \
        return xdr_ints##N(&xdrs, value);                                                                              \
    }                                                                                                                  \
    WHITTLE_SPECIALIZE bool_t decode_##N(char *message, struct ints##N *value)                                         \
    {                                                                                                                  \
        XDR xdrs;                                                                                                      \
        WHITTLE_FACT(((unsigned long)message & 3) == 0);                                                               \
        xdrmem_create(&xdrs, message, 4 * N, XDR_DECODE);                                                              \
        return xdr_ints##N(&xdrs, value);                                                                              \
    }

BOTH(20)
BOTH(100)
BOTH(250)
BOTH(500)
BOTH(1000)
BOTH(2000)
