/* SPDX-License-Identifier: MIT-0 */
/* Calls of the server under attack by stubs in rpcgen's style, over whittle's own link. Results are static: one thread calls. */
#include "attack.h"
#include "calls.h"
#include "library.h"

struct calls {
    CLIENT *client;
};

struct calls *calls_open(const char *address, uint32_t timeout)
{
    struct calls *const calls = (struct calls *)calloc(1, sizeof *calls);
    if (calls != NULL)
        calls->client = library_open(address, timeout);
    if (calls != NULL && calls->client != NULL)
        return calls;
    free(calls);
    return NULL;
}

void calls_close(struct calls *calls)
{
    if (calls == NULL)
        return;
    clnt_destroy(calls->client);
    free(calls);
}

static int status_of(struct calls *calls, const void *result)
{
    struct rpc_err error;
    if (result != NULL)
        return 0;
    clnt_geterr(calls->client, &error);
    return error.re_status == RPC_SUCCESS ? -1 : -(int)error.re_status;
}

int calls_nothing(struct calls *calls)
{
    char argument = 0;
    return status_of(calls, nothing_1(&argument, calls->client));
}

int calls_echo(struct calls *calls, uint32_t size)
{
    blob sent = {size, (char *)malloc(size + 1)};
    if (sent.blob_val == NULL)
        return -1;
    memset(sent.blob_val, (int)(size % 251), size);
    blob *const got = echo_1(&sent, calls->client);
    int status = status_of(calls, got);
    if (status == 0 && (got->blob_len != size || memcmp(got->blob_val, sent.blob_val, size) != 0))
        status = CALLS_WRONG;
    if (got != NULL)
        clnt_freeres(calls->client, (xdrproc_t)xdr_blob, (char *)got);
    free(sent.blob_val);
    return status;
}

int calls_large(struct calls *calls, uint32_t size)
{
    u_int argument = size;
    blob *const got = large_1(&argument, calls->client);
    int status = status_of(calls, got);
    if (status == 0 && got->blob_len != size)
        status = CALLS_WRONG;
    if (got != NULL)
        clnt_freeres(calls->client, (xdrproc_t)xdr_blob, (char *)got);
    return status;
}

int calls_slow(struct calls *calls, uint32_t milliseconds)
{
    u_int argument = milliseconds;
    const u_int *const got = slow_1(&argument, calls->client);
    const int status = status_of(calls, got);
    return status == 0 && *got != milliseconds ? CALLS_WRONG : status;
}

int calls_is_a(struct calls *calls)
{
    (void)calls;
    return CALLS_ABSENT;
}

const char *calls_text(int status)
{
    return status == CALLS_WRONG ? "another result than is right" : clnt_sperrno((enum clnt_stat)-status);
}

bool calls_timed_out(int status)
{
    return status == -(int)RPC_TIMEDOUT;
}
