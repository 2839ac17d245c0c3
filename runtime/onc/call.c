/* SPDX-License-Identifier: MIT-0 */
/* Calls, step by step: begun, sent, received, ended. */
#include "client.h"

/* What marshalling asks for when its room is at an end. */
WHITTLE_NET_COLD static char *whittle_onc_call_grow(struct whittle_onc_call *call, char *at, size_t more)
{
    struct whittle_net_pool *const pool = &call->client->pool;
    struct whittle_net_buffer *const old = call->buffer;
    const size_t used = (size_t)(at - call->out.base), least = used + more;
    if (more > INT32_MAX || least > INT32_MAX) {    /* more than a record's mark can say */
        call->status = WHITTLE_ONC_TOO_LARGE;
        return NULL;
    }
    /* Of those that wait one as long as messages are that grow: so that this one is moved once. */
    const size_t twice = least < 2 * old->room ? 2 * old->room : least, usual = __atomic_load_n(&call->client->usual, __ATOMIC_RELAXED);
    struct whittle_net_buffer *const fresh = whittle_net_buffer_take(pool, twice, usual < least ? least : usual);
    if (fresh == NULL) {
        call->status = WHITTLE_ONC_NO_MEMORY;
        return NULL;
    }
    memcpy(fresh->bytes, call->out.base, used);
    whittle_net_buffer_give(pool, old);
    call->buffer = fresh;
    call->out.base = fresh->bytes;
    call->out.end = fresh->bytes + fresh->room;
    return call->out.base + used;
}

static char *whittle_onc_out_grow(struct whittle_xdr_out *out, char *at, size_t more)
{
    return whittle_onc_call_grow((struct whittle_onc_call *)(void *)((char *)out - offsetof(struct whittle_onc_call, out)), at, more);
}

WHITTLE_NET_COLD static bool whittle_onc_call_refer(struct whittle_xdr_out *out, const char *at, const void *bytes, size_t size)
{
    struct whittle_onc_call *const call = (struct whittle_onc_call *)(void *)((char *)out - offsetof(struct whittle_onc_call, out));
    const size_t before = (size_t)(at - out->base) + call->referred;
    if (call->reference_count == sizeof call->references / sizeof call->references[0] || before > INT32_MAX || size > INT32_MAX - before)
        return false;
    call->references[call->reference_count++] = (struct whittle_onc_reference){(size_t)(at - out->base), (const char *)bytes, size};
    call->referred += size;
    return true;
}


WHITTLE_NET_HOT WHITTLE_NET_FLATTEN char *whittle_onc_begin(struct whittle_onc_call *call, struct whittle_onc_client *client, uint32_t program,
                                                            uint32_t version, uint32_t procedure)
{
    struct whittle_net_buffer *const buffer = whittle_net_buffer_take(&client->pool, WHITTLE_NET_SMALL, WHITTLE_NET_SMALL);
    *call = (struct whittle_onc_call){
        .client = client,
        .net = {.id = __atomic_fetch_add(&client->xid, 1, __ATOMIC_RELAXED), .epoch = __atomic_load_n(client->net.epochs, __ATOMIC_RELAXED)},
        .buffer = buffer, .program = program, .version = version};
    call->entered = client->coarse_clock ? whittle_net_about_now() : whittle_net_now();
    if (client->timeout != 0)       /* from here on: marshalling counts, too */
        call->net.deadline = call->entered + client->timeout;
    if (buffer == NULL) {
        call->status = WHITTLE_ONC_NO_MEMORY;
        return NULL;
    }
    char *const base = buffer->bytes;
    memcpy(base, client->head, client->head_size);
    whittle_put32(base + 4, call->net.id);
    whittle_put32(base + 16, program);
    whittle_put32(base + 20, version);
    whittle_put32(base + 24, procedure);
    call->out = (struct whittle_xdr_out){base, buffer->bytes + buffer->room, whittle_onc_out_grow, client->refers ? whittle_onc_call_refer : NULL, 0};
    return base + client->head_size;
}

enum whittle_onc_call_mode { WHITTLE_ONC_AT_ONCE, WHITTLE_ONC_PIPELINED, WHITTLE_ONC_ONE_WAY };

/* Onto the connection, which is open; with `writing` held. */
static int whittle_onc_put_out(struct whittle_onc_client *client, struct whittle_onc_call *call, enum whittle_onc_call_mode mode, uint64_t now)
{
    enum { LONG = 256 * 1024 };     /* bytes: sending them may wait */
    struct whittle_net_client *const net = &client->net;
    if (net->datagrams && client->retransmit != 0 && mode != WHITTLE_ONC_ONE_WAY) {
        call->interval = client->retransmit;
        call->net.again = now + call->interval;
    }
    if (mode != WHITTLE_ONC_ONE_WAY) {
        pthread_mutex_lock(&net->lock);
        if (net->datagrams && net->first == NULL && !net->reading)
            whittle_net_discard(net);
        call->net.status = WHITTLE_NET_OK;
        whittle_net_call_add(net, &call->net);
        pthread_mutex_unlock(&net->lock);
    }
    call->waited = call->waited || (size_t)(call->end - call->out.base) + call->referred > LONG;
    const int failure = net->datagrams ? whittle_onc_send_datagram(client, call)
        : mode == WHITTLE_ONC_AT_ONCE ? whittle_onc_send_with(client, call) : whittle_onc_send_later(client, call);
    if (failure == WHITTLE_NET_OK)
        return failure;
    pthread_mutex_lock(&net->lock);
    whittle_net_call_remove(net, &call->net);
    const bool replied = call->net.done && call->net.status == WHITTLE_NET_OK;      /* before all of it was sent */
    call->net.done = replied;
    pthread_mutex_unlock(&net->lock);
    return replied ? (int)WHITTLE_NET_OK : failure;
}

void whittle_onc_limits_of(const struct whittle_onc_call *call, struct whittle_net_limits *limits)
{
    *limits = (struct whittle_net_limits){call->net.deadline, call->client->net.epochs, call->net.epoch};
}

/* A connection that was found lost before anything went is made anew, once. */
static int whittle_onc_call_send(struct whittle_onc_call *call, enum whittle_onc_call_mode mode)
{
    struct whittle_onc_client *const client = call->client;
    struct whittle_net_limits limits;
    int failure = WHITTLE_NET_NOT_BEGUN;
    if (client->until != 0)
        call->net.deadline = whittle_net_sooner(call->net.deadline, client->until);
    call->waited = pthread_mutex_trylock(&client->net.writing) != 0;
    if (call->waited) {
        whittle_onc_limits_of(call, &limits);
        const int queued = whittle_net_begin_writing(&client->net, &limits);
        if (queued != WHITTLE_NET_OK)
            return whittle_onc_status_of(queued);
    }
    int status = WHITTLE_ONC_OK;
    for (int tries = 0; tries < 2 && failure == WHITTLE_NET_NOT_BEGUN && status == WHITTLE_ONC_OK; tries++) {
        call->waited = call->waited || !__atomic_load_n(&client->net.open, __ATOMIC_RELAXED);
        status = whittle_onc_client_ready(client, call, call->entered);
        if (status == WHITTLE_ONC_OK)
            failure = whittle_onc_put_out(client, call, mode, call->entered);
    }
    pthread_mutex_unlock(&client->net.writing);
    return status != WHITTLE_ONC_OK ? status : whittle_onc_status_of(failure);
}

/* false: it cannot be sent at all. */
static bool whittle_onc_call_close(struct whittle_onc_call *call, char *at)
{
    if (at == NULL && call->status == WHITTLE_ONC_OK)
        call->status = WHITTLE_ONC_CANNOT_MARSHAL;
    if (call->status != WHITTLE_ONC_OK)
        return false;
    call->end = at;
    const size_t size = (size_t)(at - call->out.base);
    if (size > WHITTLE_NET_SMALL)
        __atomic_store_n(&call->client->usual, size, __ATOMIC_RELAXED);
    if (call->client->net.datagrams ? size > WHITTLE_ONC_MARK + WHITTLE_ONC_DATAGRAM : size > INT32_MAX - call->referred)
        call->status = WHITTLE_ONC_TOO_LARGE;
    return call->status == WHITTLE_ONC_OK;
}

static int whittle_onc_call_receive(struct whittle_onc_call *call, bool just_sent)
{
    whittle_net_await(&call->client->net, &call->net, just_sent);
    return call->net.status == WHITTLE_NET_OK ? whittle_onc_answer_read(call) : whittle_onc_status_of(call->net.status);
}

/* After a loss, a while later; false: there is no time, or it may not. */
WHITTLE_NET_COLD static bool whittle_onc_call_again(struct whittle_onc_call *call, uint64_t *pause)
{
    const bool lost = call->status == WHITTLE_ONC_LOST || call->status == WHITTLE_ONC_REFUSED || call->status == WHITTLE_ONC_NO_RPCBIND;
    if (!lost || !call->client->options.resend || call->client->net.datagrams)
        return false;
    const uint64_t again = whittle_net_now() + *pause;
    if (call->net.deadline != 0 && again >= call->net.deadline)
        return false;
    whittle_net_wait_for(-1, 0, again);
    *pause = *pause < 500 * WHITTLE_NET_MILLISECOND ? 2 * *pause : *pause;
    call->net.done = false;
    call->status = WHITTLE_ONC_OK;
    return whittle_net_goes_on(&call->client->net, call->net.epoch);
}

WHITTLE_NET_HOT WHITTLE_NET_FLATTEN int whittle_onc_exchange(struct whittle_onc_call *call, char *at)
{
    uint64_t pause = 10 * WHITTLE_NET_MILLISECOND;
    if (!whittle_onc_call_close(call, at))
        return call->status;
    do {
        /* While it is sent another thread may set the call's status: its reply's. */
        const int sent = whittle_onc_call_send(call, WHITTLE_ONC_AT_ONCE);
        call->status = sent == WHITTLE_ONC_OK ? whittle_onc_call_receive(call, !call->waited) : sent;
    } while (call->status != WHITTLE_ONC_OK && whittle_onc_call_again(call, &pause));
    return call->status;
}

int whittle_onc_send(struct whittle_onc_call *call, char *at)
{
    if (!whittle_onc_call_close(call, at))
        return call->status;
    const int status = whittle_onc_call_send(call, WHITTLE_ONC_PIPELINED);
    call->sent = status == WHITTLE_ONC_OK;
    if (!call->sent)
        call->status = status;
    else if (!call->client->net.datagrams) {    /* nothing is sent again: the next call has it, where many are on their way */
        whittle_net_buffer_give(&call->client->pool, call->buffer);
        call->buffer = NULL;
    }
    return status;
}

int whittle_onc_receive(struct whittle_onc_call *call)
{
    struct whittle_onc_client *const client = call->client;
    if (!call->sent)
        return call->status;
    call->sent = false;
    /* Where the reply has come with another's nobody waits, and what is to be sent goes with what follows. */
    if (__atomic_load_n(&client->batched, __ATOMIC_RELAXED) != 0 && !__atomic_load_n(&call->net.done, __ATOMIC_ACQUIRE)) {
        struct whittle_net_limits limits;
        whittle_onc_limits_of(call, &limits);
        whittle_onc_flush_within(client, &limits);
    }
    call->status = whittle_onc_call_receive(call, false);
    return call->status;
}

int whittle_onc_post(struct whittle_onc_call *call, char *at)
{
    if (whittle_onc_call_close(call, at))
        call->status = whittle_onc_call_send(call, WHITTLE_ONC_ONE_WAY);
    call->at = call->end;       /* no results are not results that could not be read */
    return call->status;
}

WHITTLE_NET_HOT WHITTLE_NET_FLATTEN int whittle_onc_end(struct whittle_onc_call *call, const char *at)
{
    struct whittle_onc_client *const client = call->client;
    if (call->sent) {       /* and nobody waited for it */
        pthread_mutex_lock(&client->net.lock);
        whittle_net_call_remove(&client->net, &call->net);
        pthread_mutex_unlock(&client->net.lock);
        call->status = WHITTLE_ONC_CANCELLED;
        call->sent = false;
    }
    if (at == NULL && call->status == WHITTLE_ONC_OK)
        call->status = call->net.late ? WHITTLE_ONC_TIMED_OUT : WHITTLE_ONC_CANNOT_UNMARSHAL;
    whittle_net_buffer_give(&client->pool, call->net.reply.buffer);
    whittle_net_buffer_give(&client->pool, call->buffer);
    call->net.reply.buffer = call->buffer = NULL;
    return call->status;
}
