/*
 * What a server does with a call over UDP, from the arguments in its buffer to the reply on its way: arrays of integers
 * that are sent back as they came, as one function for each size. Compiled as it stands it is the original; the general
 * code is libtirpc's own source and rpcgen's routines.
 */
#include <whittle/specialize.h>
#include "svc_dg.c"
#include "svc_auth_none.c"
#include "xdr_mem.c"
#include "ints.h"

/* The buffer that transports are created with, and what the call's header takes of it. */
enum { BUFFER = 65000, HEADER = 40 };

#define ANSWER(N)                                                                                                      \
    WHITTLE_SPECIALIZE void answer_##N(SVCXPRT *transport, struct ints##N *values)                                     \
    {                                                                                                                  \
        struct svc_dg_data *data = su_data(transport);                                                                 \
        SVCXPRT_EXT *extension = SVCEXT(transport);                                                                    \
        char *buffer = rpc_buffer(transport);                                                                          \
        WHITTLE_PRIVATE(transport);                                                                                    \
        WHITTLE_PRIVATE(transport->xp_ops);                                                                            \
        WHITTLE_PRIVATE(extension);                                                                                    \
        WHITTLE_PRIVATE(extension->xp_auth.svc_ah_ops);                                                                \
        WHITTLE_PRIVATE(data);                                                                                         \
        WHITTLE_PRIVATE(values);                                                                                       \
        WHITTLE_PRIVATE(buffer);                                                                                       \
        WHITTLE_FACT(transport->xp_ops->xp_getargs == svc_dg_getargs);                                                 \
        WHITTLE_FACT(transport->xp_ops->xp_reply == svc_dg_reply);                                                     \
        WHITTLE_FACT(extension->xp_auth.svc_ah_ops->svc_ah_wrap == svcauth_none_wrap);                                 \
        WHITTLE_FACT(extension->xp_auth.svc_ah_ops->svc_ah_unwrap == svcauth_none_wrap);                               \
        WHITTLE_FACT(transport->xp_verf.oa_flavor == AUTH_NONE);                                                       \
        WHITTLE_FACT(transport->xp_verf.oa_length == 0);                                                               \
        WHITTLE_FACT(data->su_cache == NULL);                                                                          \
        WHITTLE_FACT(data->su_xdrs.x_op == XDR_DECODE);                                                                \
        WHITTLE_FACT(data->su_xdrs.x_ops == &xdrmem_ops_aligned);                                                      \
        WHITTLE_FACT(((unsigned long)buffer & 3) == 0);                                                                \
        WHITTLE_FACT(data->su_xdrs.x_base == buffer);                                                                  \
        WHITTLE_FACT(data->su_xdrs.x_private == buffer + HEADER);                                                      \
        WHITTLE_FACT(data->su_xdrs.x_handy == BUFFER - HEADER);                                                        \
        if (svc_getargs(transport, (xdrproc_t)xdr_ints##N, (caddr_t)values))                                           \
            svc_sendreply(transport, (xdrproc_t)xdr_ints##N, (caddr_t)values);                                         \
        else                                                                                                           \
            svcerr_decode(transport);                                                                                  \
    }

ANSWER(20)
ANSWER(100)
ANSWER(250)
ANSWER(500)
ANSWER(1000)
ANSWER(2000)
ANSWER(15000)

/* Makes a transport's operations this file's, so that what is said of them holds. */
void adopt(SVCXPRT *transport)
{
    svc_dg_ops(transport);
    SVC_XP_AUTH(transport) = svc_auth_none;
    su_data(transport)->su_xdrs.x_ops = &xdrmem_ops_aligned;
}
