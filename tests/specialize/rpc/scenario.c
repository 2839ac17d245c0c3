/* Marshalling on a memory stream of libtirpc, both directions. Compiled as it stands it is the original. */
#include <whittle/specialize.h>
#include "rmin.h"

#define BOTH(TYPE)                                                                                                     \
    WHITTLE_SPECIALIZE bool_t encode_##TYPE(char *buf, struct TYPE *value)                                             \
    {                                                                                                                  \
        XDR xdrs;                                                                                                      \
        WHITTLE_FACT(((unsigned long)buf & 3) == 0);                                                                   \
        xdrmem_create(&xdrs, buf, 400, XDR_ENCODE);                                                                    \
        return xdr_##TYPE(&xdrs, value);                                                                               \
    }                                                                                                                  \
    WHITTLE_SPECIALIZE bool_t decode_##TYPE(char *buf, unsigned size, struct TYPE *value)                              \
    {                                                                                                                  \
        XDR xdrs;                                                                                                      \
        WHITTLE_FACT(((unsigned long)buf & 3) == 0);                                                                   \
        xdrmem_create(&xdrs, buf, size, XDR_DECODE);                                                                   \
        return xdr_##TYPE(&xdrs, value);                                                                               \
    }

BOTH(pair)
BOTH(ints)
BOTH(rec)
BOTH(u)
BOTH(list)
