/* SPDX-License-Identifier: MIT-0 */
/* Calls of clients, by any number of threads: what becomes of them, and what the last one met with. */
#include "mach_rpc_parts.h"
#include <errno.h>

static enum clnt_stat whittle_rpc_mach_status(int status)
{
    switch (status) {
    case WHITTLE_MACH_OK: return RPC_SUCCESS;
    case WHITTLE_MACH_CANNOT_MARSHAL:
    case WHITTLE_MACH_TOO_LARGE: return RPC_CANTENCODEARGS;
    case WHITTLE_MACH_BAD_PORT: return RPC_CANTSEND;
    case WHITTLE_MACH_TIMED_OUT: return RPC_TIMEDOUT;
    case WHITTLE_MACH_LOST: return RPC_CANTRECV;
    case WHITTLE_MACH_BAD_REPLY:
    case WHITTLE_MACH_CANNOT_UNMARSHAL: return RPC_CANTDECODERES;
    case WHITTLE_MACH_OPERATION_UNAVAILABLE: return RPC_PROGUNAVAIL;     /* what serves there is not of this style */
    case WHITTLE_MACH_GARBAGE_ARGUMENTS: return RPC_CANTDECODEARGS;
    default: return RPC_SYSTEMERROR;
    }
}

const char *whittle_rpc_auth_text(enum auth_stat why)
{
    return why == AUTH_TOOWEAK ? "the credentials are too weak" : "the caller was refused";
}

static enum clnt_stat whittle_rpc_mach_note(struct whittle_rpc_client *own, enum clnt_stat status, uint32_t first, uint32_t second)
{
    __atomic_store_n(&own->detail[0], first, __ATOMIC_RELAXED);
    __atomic_store_n(&own->detail[1], second, __ATOMIC_RELAXED);
    __atomic_store_n(&own->status, (uint32_t)status, __ATOMIC_RELEASE);
    return status;
}

void clnt_geterr(CLIENT *client, struct rpc_err *error)
{
    const struct whittle_rpc_client *const own = (const struct whittle_rpc_client *)client->cl_private;
    memset(error, 0, sizeof *error);
    error->re_status = (enum clnt_stat)__atomic_load_n(&own->status, __ATOMIC_ACQUIRE);
    const uint32_t first = __atomic_load_n(&own->detail[0], __ATOMIC_RELAXED), second = __atomic_load_n(&own->detail[1], __ATOMIC_RELAXED);
    if (error->re_status == RPC_PROGVERSMISMATCH) {
        error->re_vers.low = first;
        error->re_vers.high = second;
    } else if (error->re_status == RPC_AUTHERROR) {
        error->re_why = (enum auth_stat)first;
    } else {
        error->re_errno = (int)first;
    }
}

/* Results count towards what the client allows for one call. */
static bool whittle_rpc_mach_charge(void *whose, size_t size)
{
    struct whittle_mach_call *const call = (struct whittle_mach_call *)whose;
    if (size > call->decoded)
        return false;
    call->decoded -= size;
    return true;
}

/* A reply's words, and results where it has some; NULL: they cannot be read. */
static const char *whittle_rpc_mach_read(struct whittle_mach_call *call, uint32_t words[3], xdrproc_t results, void *to)
{
    static const unsigned char needs[] = {1, 1, 3, 1, 1, 1, 2};
    const struct whittle_rpc_account account = {whittle_rpc_mach_charge, call};
    const size_t n = (size_t)(call->in.end - call->at);
    words[0] = n < 4 ? UINT32_MAX : whittle_rpc_mach_word(call->at, 0);
    if (words[0] >= sizeof needs || n < 4u * needs[words[0]])
        return NULL;
    for (size_t i = 1; i < needs[words[0]]; i++)
        words[i] = whittle_rpc_mach_word(call->at, i);
    const bool is_read = words[0] != WHITTLE_RPC_DONE || results == NULL_xdrproc_t
        || whittle_rpc_read(call->at + 4, call->in.end, &account, results, to);
    return is_read ? call->in.end : NULL;
}

/* In milliseconds, at least one. */
static uint32_t whittle_rpc_mach_span(struct timeval time)
{
    const uint64_t span = (uint64_t)time.tv_sec * 1000u + ((uint64_t)time.tv_usec + 999u) / 1000u;
    return span > UINT32_MAX ? UINT32_MAX : (uint32_t)span;
}

enum clnt_stat clnt_call(CLIENT *client, rpcproc_t procedure, xdrproc_t arguments, void *from, xdrproc_t results, void *to, struct timeval patience)
{
    static const enum clnt_stat accepted[] = {
        RPC_SUCCESS, RPC_PROGUNAVAIL, RPC_PROGVERSMISMATCH, RPC_PROCUNAVAIL, RPC_CANTDECODEARGS, RPC_SYSTEMERROR, RPC_AUTHERROR};
    struct whittle_rpc_client *const own = (struct whittle_rpc_client *)client->cl_private;
    const uint32_t head[] = {own->program, own->version, procedure};
    const uint32_t span = whittle_rpc_mach_span(own->has_patience ? own->patience : patience);
    struct whittle_mach_call call;
    char *at = whittle_mach_begin(&call, whittle_rpc_client_within(own, span == 0 ? WHITTLE_RPC_PATIENCE : span), WHITTLE_RPC_MACH_ID);
    at = whittle_rpc_mach_words(&call.out, at, head, 3);
    at = whittle_rpc_mach_value(&call.out, at, arguments, from, &own->usual);
    if (span == 0) {
        /* Nobody waits for what comes of it. */
        const int posted = whittle_mach_post(&call, at);
        const bool with_others = posted == WHITTLE_MACH_OK && results == NULL_xdrproc_t;
        return whittle_rpc_mach_note(own, posted != WHITTLE_MACH_OK || with_others ? whittle_rpc_mach_status(posted) : RPC_TIMEDOUT, 0, 0);
    }
    uint32_t words[3] = {0, 0, 0};
    const char *end = NULL;
    if (whittle_mach_exchange(&call, at) == WHITTLE_MACH_OK)
        end = whittle_rpc_mach_read(&call, words, results, to);
    const int status = whittle_mach_end(&call, end);
    if (status != WHITTLE_MACH_OK)
        return whittle_rpc_mach_note(own, whittle_rpc_mach_status(status), status == WHITTLE_MACH_NO_MEMORY ? ENOMEM : 0, 0);
    return whittle_rpc_mach_note(own, accepted[words[0]], words[1], words[2]);
}
