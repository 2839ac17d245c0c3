/* rpcgen's style, over whittle's own run time. Clients connect when they are made, which this does when they are called first. */
#include "peer.h"
#include "near.h"
#include <errno.h>

struct peer {
    char host[128];
    struct timeval patience;
    CLIENT *client;
};
const uint32_t peer_workers = 0;

struct peer *peer_open(const char *name, uint32_t milliseconds)
{
    struct peer *const peer = (struct peer *)calloc(1, sizeof *peer);
    CHECK(peer != NULL);
    snprintf(peer->host, sizeof peer->host, "shm:%s", name);
    milliseconds = milliseconds == 0 ? 25000 : milliseconds;
    peer->patience = (struct timeval){(time_t)(milliseconds / 1000), (suseconds_t)(milliseconds % 1000) * 1000};
    return peer;
}

void peer_close(struct peer *peer)
{
    if (peer->client != NULL)
        clnt_destroy(peer->client);
    free(peer);
}

static enum outcome outcome_of(const struct rpc_err *error)
{
    switch (error->re_status) {
    case RPC_SUCCESS: return GOOD;
    case RPC_TIMEDOUT: return LATE;
    case RPC_CANTRECV: return LOST;
    case RPC_SYSTEMERROR: return error->re_errno == ECONNREFUSED ? REFUSED : error->re_errno == ENOMEM ? FULL : OTHER;
    default: return OTHER;
    }
}

static enum outcome ready(struct peer *peer)
{
    if (peer->client == NULL)
        peer->client = clnt_create_timed(peer->host, near, near_V1, "tcp", &peer->patience);
    if (peer->client == NULL) {
        const struct rpc_err error = {rpc_createerr.cf_stat == RPC_SYSTEMERROR ? RPC_SYSTEMERROR : rpc_createerr.cf_error.re_status, rpc_createerr.cf_error.ru};
        return outcome_of(&error);
    }
    clnt_control(peer->client, CLSET_TIMEOUT, &peer->patience);
    return GOOD;
}

static enum outcome after(struct peer *peer, const void *result)
{
    struct rpc_err error = {RPC_SUCCESS, {0}};
    if (result == NULL)
        clnt_geterr(peer->client, &error);
    return outcome_of(&error);
}

enum outcome peer_add(struct peer *peer, int32_t left, int32_t right, int32_t *sum)
{
    const enum outcome begun = ready(peer);
    const int *const result = begun == GOOD ? near_add_1(left, right, peer->client) : NULL;
    *sum = result == NULL ? 0 : *result;
    return begun == GOOD ? after(peer, result) : begun;
}

enum outcome peer_rest(struct peer *peer, uint32_t milliseconds)
{
    const enum outcome begun = ready(peer);
    return begun == GOOD ? after(peer, near_rest_1(milliseconds, peer->client)) : begun;
}

enum outcome peer_take(struct peer *peer, uint8_t *bytes, uint32_t count, uint32_t *taken)
{
    const block given = {count, (char *)bytes};
    const enum outcome begun = ready(peer);
    const u_int *const result = begun == GOOD ? near_take_1(given, peer->client) : NULL;
    *taken = result == NULL ? 0 : *result;
    return begun == GOOD ? after(peer, result) : begun;
}

enum outcome peer_give(struct peer *peer, uint32_t count, bool *as_it_should)
{
    const enum outcome begun = ready(peer);
    near_give_results *const result = begun == GOOD ? near_give_1(count, peer->client) : NULL;
    *as_it_should = result != NULL && result->bytes.block_len == count && is_filled((const uint8_t *)result->bytes.block_val, count);
    const enum outcome outcome = begun == GOOD ? after(peer, result) : begun;
    if (result != NULL)
        clnt_freeres(peer->client, (xdrproc_t)xdr_near_give_results, result);
    return outcome;
}

enum outcome peer_note(struct peer *peer, int32_t number)
{
    const enum outcome begun = ready(peer);
    return begun == GOOD ? after(peer, near_note_1(number, peer->client)) : begun;
}

enum outcome peer_noted(struct peer *peer, int32_t *sum)
{
    const enum outcome begun = ready(peer);
    const int *const result = begun == GOOD ? near_noted_1(peer->client) : NULL;
    *sum = result == NULL ? 0 : *result;
    return begun == GOOD ? after(peer, result) : begun;
}

int *near_add_1_svc(int left, int right, struct svc_req *request)
{
    static int sum;
    (void)request;
    sum = (int)((unsigned)left + (unsigned)right);
    return &sum;
}

int *near_rest_1_svc(u_int milliseconds, struct svc_req *request)
{
    static int rested = 1;
    (void)request;
    servant_rest(milliseconds);
    return &rested;
}

u_int *near_take_1_svc(block bytes, struct svc_req *request)
{
    static u_int taken;
    (void)request;
    taken = is_filled((const uint8_t *)bytes.block_val, bytes.block_len) ? bytes.block_len : 0;
    return &taken;
}

near_give_results *near_give_1_svc(u_int count, struct svc_req *request)
{
    static near_give_results results;
    (void)request;
    free(results.bytes.block_val);
    results.bytes.block_len = count;
    results.bytes.block_val = (char *)malloc(count == 0 ? 1 : count);
    CHECK(results.bytes.block_val != NULL);
    servant_fill((uint8_t *)results.bytes.block_val, count);
    return &results;
}

static int sum_of_notes;

void *near_note_1_svc(int number, struct svc_req *request)
{
    (void)request;
    sum_of_notes += number;
    return &sum_of_notes;
}

int *near_noted_1_svc(struct svc_req *request)
{
    (void)request;
    return &sum_of_notes;
}

/* What was generated for the server, without its main. */
#define main unused_main
#include "near_svc.c"
#undef main

void peer_serve(const char *name, uint32_t workers, void (*ready)(void))
{
    CHECK(workers == 0);
    SVCXPRT *const transport = svcshm_create(name);
    CHECK(transport != NULL && strcmp(transport->xp_netid, "shm") == 0 && svc_register(transport, near, near_V1, near_1, 0));
    ready();
    svc_run();
}

void peer_stop(void)
{
    svc_exit();
}
