/*
 * Whole calls over UDP: arrays of integers there and back, as one function for each size. Compiled as it stands it is
 * the original; the general code is libtirpc's own source and rpcgen's routines. Clients are to have this file's
 * authenticator, so that what is said of its operations holds.
 */
#include <whittle/specialize.h>
#include "auth_none.c"
#include "clnt_dg.c"
#include "ints.h"

/* The buffer that clients are created with, the call's header in it, and that of an accepted reply. */
enum { SENDING = 60800, HEADER = 20, CREDENTIALS = 16, REPLY_HEADER = 24 };

#define CALL(N)                                                                                                        \
    WHITTLE_SPECIALIZE enum clnt_stat call_##N(CLIENT *client, struct ints##N *arguments, struct ints##N *results,     \
                                               struct timeval timeout)                                                 \
    {                                                                                                                  \
        struct cu_data *data = (struct cu_data *)client->cl_private;                                                   \
        AUTH *auth = client->cl_auth;                                                                                  \
        WHITTLE_PRIVATE(client);                                                                                       \
        WHITTLE_PRIVATE(data);                                                                                         \
        WHITTLE_PRIVATE(data->cu_outbuf);                                                                              \
        WHITTLE_PRIVATE(auth);                                                                                         \
        WHITTLE_PRIVATE(auth->ah_ops);                                                                                 \
        WHITTLE_PRIVATE(&authnone_private);                                                                            \
        WHITTLE_PRIVATE(authnone_private);                                                                             \
        WHITTLE_FACT(auth->ah_ops->ah_marshal == authnone_marshal);                                                    \
        WHITTLE_FACT(auth->ah_ops->ah_wrap == authnone_wrap);                                                          \
        WHITTLE_FACT(auth->ah_ops->ah_unwrap == authnone_wrap);                                                        \
        WHITTLE_FACT(auth->ah_ops->ah_validate == authnone_validate);                                                  \
        WHITTLE_FACT(auth->ah_ops->ah_refresh == authnone_refresh);                                                    \
        WHITTLE_FACT(authnone_private->mcnt == CREDENTIALS);                                                           \
        WHITTLE_FACT(((unsigned long)data->cu_outbuf & 3) == 0);                                                       \
        WHITTLE_FACT(((unsigned long)data->cu_inbuf & 3) == 0);                                                        \
        WHITTLE_FACT(data->cu_xdrpos == HEADER);                                                                       \
        WHITTLE_FACT(data->cu_sendsz == SENDING);                                                                      \
        WHITTLE_USUALLY_RETURNS(recvfrom, REPLY_HEADER + 4 * N);                                                       \
        xdrmem_create(&data->cu_outxdrs, data->cu_outbuf, data->cu_sendsz, XDR_ENCODE);                                \
        return clnt_dg_call(client, N, (xdrproc_t)xdr_ints##N, arguments, (xdrproc_t)xdr_ints##N, results, timeout);   \
    }

CALL(20)
CALL(100)
CALL(250)
CALL(500)
CALL(1000)
CALL(2000)
CALL(15000)
