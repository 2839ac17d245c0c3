/* SPDX-License-Identifier: MIT-0 */
/* Calls, step by step: begun, sent, received, ended. */
#include "client.h"
#include <time.h>

/* What marshalling asks for when its room is at an end. */
WHITTLE_ONC_RARE static char *whittle_onc_call_grow(struct whittle_onc_call *call, char *at, size_t more)
{
    struct whittle_onc_pool *const pool = &call->client->pool;
    struct whittle_onc_buffer *const old = call->buffer;
    const size_t used = (size_t)(at - call->out.base), least = used + more;
    if (more > INT32_MAX || least > INT32_MAX) {    /* more than a record's mark can tell */
        call->status = WHITTLE_ONC_TOO_LARGE;
        return NULL;
    }
    /* Of those that wait one as long as messages are that grow: so that this one is moved once. */
    const size_t twice = least < 2 * old->room ? 2 * old->room : least, usual = __atomic_load_n(&call->client->usual, __ATOMIC_RELAXED);
    struct whittle_onc_buffer *const fresh = whittle_onc_buffer_take(pool, twice, usual < least ? least : usual);
    if (fresh == NULL) {
        call->status = WHITTLE_ONC_NO_MEMORY;
        return NULL;
    }
    memcpy(fresh->bytes, call->out.base, used);
    whittle_onc_buffer_give(pool, old);
    call->buffer = fresh;
    call->out.base = fresh->bytes;
    call->out.end = fresh->bytes + fresh->room;
    return call->out.base + used;
}

static char *whittle_onc_out_grow(struct whittle_xdr_out *out, char *at, size_t more)
{
    return whittle_onc_call_grow((struct whittle_onc_call *)(void *)((char *)out - offsetof(struct whittle_onc_call, out)), at, more);
}

WHITTLE_ONC_RARE static bool whittle_onc_call_refer(struct whittle_xdr_out *out, const char *at, const void *bytes, size_t size)
{
    struct whittle_onc_call *const call = (struct whittle_onc_call *)(void *)((char *)out - offsetof(struct whittle_onc_call, out));
    const size_t before = (size_t)(at - out->base) + call->referred;
    if (call->reference_count == sizeof call->references / sizeof call->references[0] || before > INT32_MAX || size > INT32_MAX - before)
        return false;
    call->references[call->reference_count++] = (struct whittle_onc_reference){(size_t)(at - out->base), (const char *)bytes, size};
    call->referred += size;
    return true;
}

void *whittle_onc_heap(struct whittle_xdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    (void)in;
    (void)release;
    return size != 0 && count > SIZE_MAX / size ? NULL : malloc(size * count);
}

WHITTLE_ONC_FLAT char *whittle_onc_begin(struct whittle_onc_call *call, struct whittle_onc_client *client, uint32_t program, uint32_t version,
                        uint32_t procedure)
{
    struct whittle_onc_buffer *const buffer = whittle_onc_buffer_take(&client->pool, WHITTLE_ONC_SMALL, WHITTLE_ONC_SMALL);
    *call = (struct whittle_onc_call){
        .client = client, .buffer = buffer, .program = program, .version = version,
        .xid = __atomic_fetch_add(&client->xid, 1, __ATOMIC_RELAXED), .epoch = __atomic_load_n(client->epochs, __ATOMIC_RELAXED)};
    if (buffer == NULL) {
        call->status = WHITTLE_ONC_NO_MEMORY;
        return NULL;
    }
    char *const base = buffer->bytes;
    memcpy(base, client->head, client->head_size);
    whittle_put32(base + 4, call->xid);
    whittle_put32(base + 16, program);
    whittle_put32(base + 20, version);
    whittle_put32(base + 24, procedure);
    call->out = (struct whittle_xdr_out){base, buffer->bytes + buffer->room, whittle_onc_out_grow, client->refers ? whittle_onc_call_refer : NULL};
    return base + client->head_size;
}

enum whittle_onc_manner { WHITTLE_ONC_AT_ONCE, WHITTLE_ONC_PIPELINED, WHITTLE_ONC_ONE_WAY };

/* Onto the connection, which is open; with `writing` held. */
static int whittle_onc_put_out(struct whittle_onc_client *client, struct whittle_onc_call *call, enum whittle_onc_manner manner, uint64_t now)
{
    if (client->datagram && client->retransmit != 0 && manner != WHITTLE_ONC_ONE_WAY) {
        call->interval = client->retransmit;
        call->again = now + call->interval;
    }
    if (manner != WHITTLE_ONC_ONE_WAY) {
        pthread_mutex_lock(&client->lock);
        call->status = WHITTLE_ONC_OK;
        whittle_onc_call_add(client, call);
        pthread_mutex_unlock(&client->lock);
    }
    const int status = client->datagram ? whittle_onc_send_datagram(client, call)
        : manner == WHITTLE_ONC_AT_ONCE ? whittle_onc_send_with(client, call) : whittle_onc_send_later(client, call);
    if (status == WHITTLE_ONC_OK)
        return status;
    pthread_mutex_lock(&client->lock);
    whittle_onc_call_remove(client, call);
    const bool answered = call->done && call->status == WHITTLE_ONC_OK;     /* before all of it was sent */
    call->done = answered;
    pthread_mutex_unlock(&client->lock);
    return answered ? WHITTLE_ONC_OK : status;
}

/* Takes `writing`, which others have while they connect, or send much: no longer than the call may last. */
WHITTLE_ONC_RARE static int whittle_onc_call_queue(struct whittle_onc_call *call)
{
    for (;;) {
        struct timespec moment;     /* of the clock that mutexes have everywhere: how long a slice is does not matter */
        clock_gettime(CLOCK_REALTIME, &moment);
        moment.tv_nsec += (long)WHITTLE_ONC_SLICE;
        moment.tv_sec += moment.tv_nsec / 1000000000;
        moment.tv_nsec %= 1000000000;
        if (pthread_mutex_timedlock(&call->client->writing, &moment) == 0)
            return WHITTLE_ONC_OK;
        if (!whittle_onc_client_goes_on(call->client, call->epoch))
            return WHITTLE_ONC_CANCELLED;
        if (call->deadline != 0 && whittle_onc_now() >= call->deadline)
            return WHITTLE_ONC_TIMED_OUT;
    }
}

/* A connection that was found lost before anything went is made anew, once. */
static int whittle_onc_call_send(struct whittle_onc_call *call, enum whittle_onc_manner manner)
{
    struct whittle_onc_client *const client = call->client;
    uint64_t now = whittle_onc_now();
    int status = WHITTLE_ONC_NOT_BEGUN;
    if (call->deadline == 0)
        call->deadline = client->timeout == 0 ? 0 : now + client->timeout;
    if (pthread_mutex_trylock(&client->writing) != 0) {
        const int queued = whittle_onc_call_queue(call);
        if (queued != WHITTLE_ONC_OK)
            return queued;
        now = whittle_onc_now();
    }
    for (int tries = 0; tries < 2 && status == WHITTLE_ONC_NOT_BEGUN; tries++) {
        status = whittle_onc_client_ready(client, call, now);
        if (status == WHITTLE_ONC_OK)
            status = whittle_onc_put_out(client, call, manner, now);
    }
    pthread_mutex_unlock(&client->writing);
    return status == WHITTLE_ONC_NOT_BEGUN ? WHITTLE_ONC_LOST : status;
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
    if (size > WHITTLE_ONC_SMALL)
        __atomic_store_n(&call->client->usual, size, __ATOMIC_RELAXED);
    if (call->client->datagram ? size > WHITTLE_ONC_MARK + WHITTLE_ONC_DATAGRAM : size > INT32_MAX - call->referred)
        call->status = WHITTLE_ONC_TOO_LARGE;
    return call->status == WHITTLE_ONC_OK;
}

static int whittle_onc_call_receive(struct whittle_onc_call *call, bool just_sent)
{
    whittle_onc_wait(call, just_sent);
    return call->status == WHITTLE_ONC_OK ? whittle_onc_answer_read(call) : call->status;
}

/* After a loss, a while later; false: there is no time, or it may not. */
WHITTLE_ONC_RARE static bool whittle_onc_call_again(struct whittle_onc_call *call, uint64_t *pause)
{
    const bool lost = call->status == WHITTLE_ONC_LOST || call->status == WHITTLE_ONC_REFUSED || call->status == WHITTLE_ONC_NO_RPCBIND;
    if (!lost || !call->client->options.resend || call->client->datagram)
        return false;
    if (call->deadline != 0 && whittle_onc_now() + *pause >= call->deadline)
        return false;
    const struct timespec span = {(time_t)(*pause / 1000000000u), (long)(*pause % 1000000000u)};
    nanosleep(&span, NULL);
    *pause = *pause < 500 * WHITTLE_ONC_MILLISECOND ? 2 * *pause : *pause;
    call->done = false;
    call->status = WHITTLE_ONC_OK;
    return whittle_onc_client_goes_on(call->client, call->epoch);
}

WHITTLE_ONC_FLAT int whittle_onc_exchange(struct whittle_onc_call *call, char *at)
{
    uint64_t pause = 10 * WHITTLE_ONC_MILLISECOND;
    if (!whittle_onc_call_close(call, at))
        return call->status;
    do {
        /* While it is sent another thread may set the call's status: its reply's. */
        const int sent = whittle_onc_call_send(call, WHITTLE_ONC_AT_ONCE);
        call->status = sent == WHITTLE_ONC_OK ? whittle_onc_call_receive(call, true) : sent;
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
    return status;
}

static bool whittle_onc_call_came(const struct whittle_onc_call *call)
{
    pthread_mutex_lock(&call->client->lock);
    const bool came = call->done;
    pthread_mutex_unlock(&call->client->lock);
    return came;
}

int whittle_onc_receive(struct whittle_onc_call *call)
{
    struct whittle_onc_client *const client = call->client;
    if (!call->sent)
        return call->status;
    call->sent = false;
    /* Where the reply has come with another's nobody waits, and what is to be sent goes with what follows. */
    if (__atomic_load_n(&client->boxed, __ATOMIC_RELAXED) != 0 && !whittle_onc_call_came(call))
        whittle_onc_client_flush(client);
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

WHITTLE_ONC_FLAT int whittle_onc_end(struct whittle_onc_call *call, const char *at)
{
    struct whittle_onc_client *const client = call->client;
    if (call->sent) {       /* and nobody waited for it */
        pthread_mutex_lock(&client->lock);
        whittle_onc_call_remove(client, call);
        pthread_mutex_unlock(&client->lock);
        call->status = WHITTLE_ONC_CANCELLED;
        call->sent = false;
    }
    if (at == NULL && call->status == WHITTLE_ONC_OK)
        call->status = WHITTLE_ONC_CANNOT_UNMARSHAL;
    whittle_onc_buffer_give(&client->pool, call->reply);
    whittle_onc_buffer_give(&client->pool, call->buffer);
    call->reply = call->buffer = NULL;
    return call->status;
}
