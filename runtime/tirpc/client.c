/* SPDX-License-Identifier: MIT-0 */
/* Calls through a CLIENT. */
#include "stubs.h"
#include <sys/socket.h>

/* As rpcgen's stubs have it, where clnt_control says nothing else. */
static const struct timeval whittle_tirpc_timeout = {25, 0};

/* Results that are lent, the whole of their message and what lies beside it. */
struct whittle_tirpc_reply {
    struct whittle_tirpc_arena arena;
    char *bytes;
};

static char *whittle_tirpc_call_grow(struct whittle_xdr_out *out, char *at, size_t more)
{
    struct whittle_tirpc_call *const call = (struct whittle_tirpc_call *)(void *)((char *)out - offsetof(struct whittle_tirpc_call, out));
    return whittle_tirpc_message_grow(&call->sent, out, at, more);
}

/* Storage of a result, which the caller frees. */
static void *whittle_tirpc_result(struct whittle_xdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    struct whittle_tirpc_call *const call = (struct whittle_tirpc_call *)(void *)((char *)in - offsetof(struct whittle_tirpc_call, in));
    if (!whittle_tirpc_charge(&call->arena, size, count))
        return NULL;
    return release != NULL ? calloc(count, size) : malloc(size * count);
}

static void *whittle_tirpc_lent(struct whittle_xdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    struct whittle_tirpc_call *const call = (struct whittle_tirpc_call *)(void *)((char *)in - offsetof(struct whittle_tirpc_call, in));
    return whittle_tirpc_stored(&call->arena, size, count, release != NULL);
}

/* Nobody is called by mistake: a procedure's number means something else in another program. What a library does not say is taken for good. */
static int whittle_tirpc_mismatch(CLIENT *client, uint32_t program, uint32_t version)
{
    union {
        uint32_t word;
        u_long room;
    } used;
    if (clnt_control(client, CLGET_PROG, (char *)&used) && used.word != program)
        return -(int)RPC_PROGUNAVAIL;
    if (clnt_control(client, CLGET_VERS, (char *)&used) && used.word != version)
        return -(int)RPC_PROGVERSMISMATCH;
    return 0;
}

char *whittle_tirpc_begin(struct whittle_tirpc_call *call, CLIENT *client, uint32_t program, uint32_t version, uint32_t procedure)
{
    call->client = client;
    call->procedure = procedure;
    call->status = whittle_tirpc_mismatch(client, program, version);
    whittle_tirpc_message_open(&call->sent);
    whittle_tirpc_message_open(&call->received);
    call->arena.blocks = NULL;
    call->arena.left = WHITTLE_TIRPC_DECODED;
    memset(&call->in, 0, sizeof call->in);
    memset(&call->out, 0, sizeof call->out);
    call->at = call->received.bytes;
    call->out.base = call->sent.bytes;
    call->out.end = call->sent.bytes + call->sent.room;
    call->out.grow = whittle_tirpc_call_grow;
    call->out.depth = 0;
    return call->status == 0 ? call->out.base : NULL;
}

/* Sends, and waits as long as that. */
static int whittle_tirpc_call(struct whittle_tirpc_call *call, const char *at, struct timeval timeout)
{
    if (at == NULL)
        return call->status != 0 ? call->status : -(int)RPC_CANTENCODEARGS;
    call->sent.size = (size_t)(at - call->out.base);
    return -(int)clnt_call(call->client, call->procedure, (xdrproc_t)whittle_tirpc_put, (char *)&call->sent, (xdrproc_t)whittle_tirpc_gather,
                           (char *)&call->received, timeout);
}

int whittle_tirpc_exchange(struct whittle_tirpc_call *call, char *at)
{
    call->status = whittle_tirpc_call(call, at, whittle_tirpc_timeout);
    whittle_tirpc_message_free(&call->sent);
    call->at = call->received.bytes;
    call->in.end = call->received.bytes + call->received.size;
    call->in.allocate = whittle_tirpc_result;
    return call->status;
}

static bool whittle_tirpc_is_datagram(CLIENT *client)
{
    int descriptor = -1, type = 0;
    socklen_t size = sizeof type;
    return clnt_control(client, CLGET_FD, (char *)&descriptor) && getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0
        && type == SOCK_DGRAM;
}

/* With no time to wait libtirpc answers RPC_TIMEDOUT, which is success here; with less than a millisecond it does not send a datagram at all. */
int whittle_tirpc_post(struct whittle_tirpc_call *call, char *at)
{
    const struct timeval none = {0, whittle_tirpc_is_datagram(call->client) ? 1000 : 0};
    const int status = whittle_tirpc_call(call, at, none);
    call->status = status == -(int)RPC_TIMEDOUT ? 0 : status;
    return call->status;
}

int whittle_tirpc_end(struct whittle_tirpc_call *call, const char *at)
{
    if (at == NULL && call->status == 0)
        call->status = -(int)RPC_CANTDECODERES;
    whittle_tirpc_message_free(&call->sent);
    whittle_tirpc_message_free(&call->received);
    whittle_tirpc_arena_free(&call->arena);
    return call->status;
}

bool whittle_tirpc_lend(struct whittle_tirpc_call *call)
{
    struct whittle_tirpc_message *const message = &call->received;
    if (message->bytes == message->first) {
        /* The caller's stack ends before the reply does. */
        char *const moved = (char *)malloc(message->size + (message->size == 0));
        if (moved == NULL) {
            call->status = -(int)RPC_SYSTEMERROR;
            return false;
        }
        memcpy(moved, message->first, message->size);
        message->bytes = moved;
        message->room = message->size;
        call->at = moved;
        call->in.end = moved + message->size;
    }
    call->in.borrow = true;
    call->in.allocate = whittle_tirpc_lent;
    return true;
}

int whittle_tirpc_end_lent(struct whittle_tirpc_call *call, const char *at, struct whittle_tirpc_reply **reply)
{
    *reply = NULL;
    if (at != NULL && call->status == 0) {
        *reply = (struct whittle_tirpc_reply *)malloc(sizeof **reply);
        if (*reply == NULL)
            call->status = -(int)RPC_SYSTEMERROR;
    }
    if (*reply != NULL) {
        (*reply)->arena = call->arena;
        (*reply)->bytes = call->received.bytes;
        call->arena.blocks = NULL;
        whittle_tirpc_message_open(&call->received);
    }
    return whittle_tirpc_end(call, at);
}

void whittle_tirpc_reply_free(struct whittle_tirpc_reply *reply)
{
    if (reply == NULL)
        return;
    whittle_tirpc_arena_free(&reply->arena);
    free(reply->bytes);
    free(reply);
}

const char *whittle_tirpc_text(int status)
{
    return clnt_sperrno((enum clnt_stat)-status);
}
