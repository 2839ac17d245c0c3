/* A client's call in one function, on libtirpc's memory streams: arguments out, a reply of a length that only run time
 * knows in, and again where it answers another call. For the analysis: two streams of one type in a loop, a test that
 * teaches the length, a header with static words. */
#include <whittle/specialize.h>
#include "rmin.h"

#define SIZE 400
#define REPLY 28

/* Sends a message and waits for another; its length, or less than 0. */
int travel(int socket, const char *message, unsigned size, char *reply, unsigned room);

static int answered(char *message, unsigned size, struct rpc_msg *reply)
{
    XDR xdrs;
    xdrmem_create(&xdrs, message, size, XDR_DECODE);
    return xdr_replymsg(&xdrs, reply);
}

WHITTLE_SPECIALIZE int exchange(int socket, char *out, char *in, struct pair *arguments, int *result)
{
    XDR sending;
    struct rpc_msg call, reply;
    u_long procedure = RMIN;
    int length;

    WHITTLE_FACT(((unsigned long)out & 3) == 0);
    WHITTLE_FACT(((unsigned long)in & 3) == 0);
    call.rm_xid = 7;
    call.rm_direction = CALL;
    call.rm_call.cb_rpcvers = RPC_MSG_VERSION;
    call.rm_call.cb_prog = P;
    call.rm_call.cb_vers = V;
again:
    xdrmem_create(&sending, out, SIZE, XDR_ENCODE);
    if (!xdr_callhdr(&sending, &call) || !xdr_u_long(&sending, &procedure) || !xdr_pair(&sending, arguments))
        return 1;
    length = travel(socket, out, SIZE, in, SIZE);
    if (length < 0)
        return 2;
    reply.acpted_rply.ar_verf = _null_auth;
    reply.acpted_rply.ar_results.where = (char *)result;
    reply.acpted_rply.ar_results.proc = (xdrproc_t)xdr_int;
    if (length == REPLY ? !answered(in, length, &reply) : !answered(in, length, &reply))
        return 3;
    if (reply.rm_xid != call.rm_xid)
        goto again;
    return 0;
}
