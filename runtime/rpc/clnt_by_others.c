/* SPDX-License-Identifier: MIT-0 */
/* Functions of clients that others are enough for. */
#include "rpc_shared.h"

CLIENT *clnt_create(const char *host, rpcprog_t program, rpcvers_t version, const char *network)
{
    return clnt_create_timed(host, program, version, network, NULL);
}

CLIENT *clnt_create_vers(const char *host, rpcprog_t program, rpcvers_t *version, rpcvers_t low, rpcvers_t high, const char *network)
{
    const struct timeval patience = {10, 0};
    struct rpc_err error;
    CLIENT *const client = clnt_create(host, program, high, network);
    if (client == NULL)
        return NULL;
    const xdrproc_t nothing = (xdrproc_t)(void (*)(void))xdr_void;
    enum clnt_stat status = clnt_call(client, 0, nothing, NULL, nothing, NULL, patience);
    clnt_geterr(client, &error);
    if (status == RPC_PROGVERSMISMATCH && error.re_vers.high < high && error.re_vers.high >= low) {
        high = error.re_vers.high;
        clnt_control(client, CLSET_VERS, &high);
        status = clnt_call(client, 0, nothing, NULL, nothing, NULL, patience);
        clnt_geterr(client, &error);
    }
    if (status == RPC_SUCCESS) {
        *version = high;
        return client;
    }
    whittle_rpc_not_created(status, &error);
    clnt_destroy(client);
    return NULL;
}

bool_t clnt_freeres(CLIENT *client, xdrproc_t results, void *from)
{
    (void)client;
    xdr_free(results, from);
    return TRUE;
}

enum clnt_stat rpc_call(const char *host, rpcprog_t program, rpcvers_t version, rpcproc_t procedure, xdrproc_t arguments, const char *from,
                        xdrproc_t results, char *to, const char *network)
{
    const struct timeval patience = {25, 0};
    CLIENT *const client = clnt_create(host, program, version, network);
    if (client == NULL)
        return rpc_createerr.cf_stat;
    const enum clnt_stat status = clnt_call(client, procedure, arguments, (void *)(uintptr_t)from, results, to, patience);
    clnt_geterr(client, &rpc_createerr.cf_error);
    clnt_destroy(client);
    return status;
}
