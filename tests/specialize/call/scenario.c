/* A whole call over UDP: what libtirpc's client does for arrays of a hundred integers, in one function. */
#include <whittle/specialize.h>
#include "auth_none.c"
#include "clnt_dg.c"
#include "ints.h"

WHITTLE_SPECIALIZE enum clnt_stat
call_ints(CLIENT *client, struct ints *arguments, struct ints *results, struct timeval timeout)
{
    struct cu_data *data = (struct cu_data *)client->cl_private;
    AUTH *auth = client->cl_auth;
    WHITTLE_PRIVATE(client);
    WHITTLE_PRIVATE(data);
    WHITTLE_PRIVATE(data->cu_outbuf);
    WHITTLE_PRIVATE(auth);
    WHITTLE_PRIVATE(auth->ah_ops);
    WHITTLE_PRIVATE(&authnone_private);
    WHITTLE_PRIVATE(authnone_private);
    WHITTLE_FACT(auth->ah_ops->ah_marshal == authnone_marshal);
    WHITTLE_FACT(auth->ah_ops->ah_wrap == authnone_wrap);
    WHITTLE_FACT(auth->ah_ops->ah_unwrap == authnone_wrap);
    WHITTLE_FACT(auth->ah_ops->ah_validate == authnone_validate);
    WHITTLE_FACT(auth->ah_ops->ah_refresh == authnone_refresh);
    WHITTLE_FACT(authnone_private->mcnt == 16);
    WHITTLE_FACT(((unsigned long)data->cu_outbuf & 3) == 0);
    WHITTLE_FACT(((unsigned long)data->cu_inbuf & 3) == 0);
    WHITTLE_FACT(data->cu_xdrpos == 20);
    WHITTLE_FACT(data->cu_sendsz == 8800);
    WHITTLE_USUALLY_RETURNS(recvfrom, 24 + 4 * 100);
    xdrmem_create(&data->cu_outxdrs, data->cu_outbuf, data->cu_sendsz, XDR_ENCODE);
    return clnt_dg_call(client, 1, (xdrproc_t)xdr_ints, arguments, (xdrproc_t)xdr_ints, results, timeout);
}
