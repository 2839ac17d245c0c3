/* SPDX-License-Identifier: MIT-0 */
/* Calls of clients: arguments encoded straight into the message, results decoded where they arrived. */
#include "rpc_inner.h"

static uint64_t whittle_rpc_span(struct timeval time)
{
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_usec * 1000u;
}

/* Calls begin with who calls: it was set anew. */
WHITTLE_NET_COLD static bool whittle_rpc_reidentify(struct whittle_rpc_client *own)
{
    struct whittle_onc_client *const client = own->client;
    char *const head = client->head;
    whittle_rpc_identify(own->base.cl_auth, &client->options);
    if (!whittle_onc_head_make(client)) {
        client->head = head;
        return false;
    }
    free(head);
    own->auth = whittle_rpc_auth_number(own->base.cl_auth);
    return true;
}

static enum clnt_stat whittle_rpc_note(struct whittle_rpc_client *own, int status)
{
    if (status == WHITTLE_ONC_OK && __atomic_load_n(&own->error.re_status, __ATOMIC_RELAXED) == RPC_SUCCESS)
        return RPC_SUCCESS;
    struct rpc_err error;
    whittle_rpc_explain(status, own->client, &error);
    pthread_mutex_lock(&own->lock);
    own->error.ru = error.ru;
    __atomic_store_n(&own->error.re_status, error.re_status, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&own->lock);
    return error.re_status;
}

/* Nobody waits for what comes of it. */
static enum clnt_stat whittle_rpc_post(struct whittle_rpc_client *own, struct whittle_onc_call *call, char *at, bool with_others)
{
    whittle_onc_post(call, at);
    int status = whittle_onc_end(call, call->at);
    if (status == WHITTLE_ONC_OK && !with_others) {
        status = whittle_onc_client_flush(own->client);
        status = status == WHITTLE_ONC_OK ? WHITTLE_ONC_TIMED_OUT : status;
    }
    return whittle_rpc_note(own, status);
}

/* Results count towards what the client allows for one call. */
static bool whittle_rpc_result_charge(void *whose, size_t size)
{
    return whittle_onc_call_charge((struct whittle_onc_call *)whose, size);
}

enum clnt_stat clnt_call(CLIENT *client, rpcproc_t procedure, xdrproc_t arguments, void *from, xdrproc_t results, void *to,
                         struct timeval patience)
{
    struct whittle_rpc_client *const own = (struct whittle_rpc_client *)client->cl_private;
    struct whittle_onc_call call;
    const uint64_t entered = whittle_net_now();
    if (own->auth != whittle_rpc_auth_number(client->cl_auth) && !whittle_rpc_reidentify(own))
        return whittle_rpc_note(own, WHITTLE_ONC_NO_MEMORY);
    char *at = whittle_onc_begin(&call, own->client, own->program, own->version, procedure);
    at = whittle_rpc_write(&call.out, at, arguments, from, &own->usual);
    const uint64_t span = whittle_rpc_span(own->has_patience ? own->patience : patience);
    if (span == 0)
        return whittle_rpc_post(own, &call, at, results == NULL_xdrproc_t && !own->client->net.datagrams);
    if (span <= WHITTLE_NET_SLICE && !own->client->net.short_deadlines)
        __atomic_store_n(&own->client->net.short_deadlines, true, __ATOMIC_RELAXED);
    call.net.deadline = entered + span;
    const char *end = NULL;
    const struct whittle_rpc_account account = {whittle_rpc_result_charge, &call};
    if (whittle_onc_exchange(&call, at) == WHITTLE_ONC_OK
        && (results == NULL_xdrproc_t || whittle_rpc_read(call.at, call.in.end, &account, results, to)))
        end = call.in.end;
    return whittle_rpc_note(own, whittle_onc_end(&call, end));
}

void clnt_geterr(CLIENT *client, struct rpc_err *error)
{
    struct whittle_rpc_client *const own = (struct whittle_rpc_client *)client->cl_private;
    pthread_mutex_lock(&own->lock);
    *error = own->error;
    pthread_mutex_unlock(&own->lock);
}

void clnt_abort(CLIENT *client)
{
    whittle_onc_client_cancel(((struct whittle_rpc_client *)client->cl_private)->client);
}

int callrpc(const char *host, int program, int version, int procedure, xdrproc_t arguments, char *from, xdrproc_t results, char *to)
{
    return (int)rpc_call(host, (rpcprog_t)program, (rpcvers_t)version, (rpcproc_t)procedure, arguments, from, results, to, "udp");
}
