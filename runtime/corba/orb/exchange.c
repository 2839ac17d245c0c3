/* SPDX-License-Identifier: MIT-0 */
/* A request goes out, and its caller waits for what comes back. All of it ends at the call's deadline, whatever it waits for. */
#include "parts.h"
#include <sys/socket.h>

/* Nobody wants the reply any more: the server may know, if it can be said without waiting. */
static void whittle_cancel(struct whittle_call *call)
{
    struct whittle_net_client *const client = &call->connection->net;
    char message[WHITTLE_HEADER + 4];
    struct iovec part = {message, sizeof message};
    whittle_put_header(message, call->version, WHITTLE_CANCEL_REQUEST);
    whittle_poke32(message + WHITTLE_SIZE_AT, 4);
    whittle_poke32(message + WHITTLE_HEADER, call->net.id);
    if (pthread_mutex_trylock(&client->writing) != 0)
        return;
    const ssize_t sent = !whittle_connection_is_open(call->connection) ? -1
        : client->stream.ops->send(&client->stream, &part, 1, MSG_DONTWAIT);
    if (sent > 0 && sent < (ssize_t)sizeof message)     /* nothing can follow it */
        whittle_net_not_transmitted(client);
    pthread_mutex_unlock(&client->writing);
}

/* A message in one piece, or with pieces of the caller's in between. */
static int whittle_exchange_message(struct whittle_call *call, const struct whittle_net_limits *limits, char *end)
{
    struct iovec pieces[2 * WHITTLE_LENT + 1];
    char *const base = call->out.base;
    size_t place = 0;
    int count = 0;
    if (call->piece_count == 0)
        return whittle_send_message(call->connection, &call->net, limits, base, end, call->connection->orb->options.fragment);
    whittle_poke32(base + WHITTLE_SIZE_AT, (uint32_t)(end - base - WHITTLE_HEADER) + call->referred);
    for (uint32_t index = 0; index < call->piece_count; index++) {
        const struct whittle_lent *const piece = &call->pieces[index];
        if (piece->place > place)
            pieces[count++] = (struct iovec){base + place, piece->place - place};
        pieces[count++] = (struct iovec){(void *)(uintptr_t)piece->bytes, piece->size};
        place = piece->place;
    }
    if ((size_t)(end - base) > place)
        pieces[count++] = (struct iovec){base + place, (size_t)(end - base) - place};
    return whittle_net_transmit(&call->connection->net, &call->net, limits, pieces, count, false);
}

/* Before this thread waits: what it has replied to others goes out, since it may be what the server waits for. */
static bool whittle_exchange_serves(CORBA_ORB orb)
{
    for (const struct whittle_request *each = whittle_begun; each != NULL; each = each->before)
        if (each->output.buffer != NULL)    /* its reply is being written: nobody else may write behind it */
            return false;
    for (const struct whittle_request *each = whittle_begun; each != NULL; each = each->before)
        if (each->connection != NULL && __atomic_load_n(&each->connection->queued, __ATOMIC_RELAXED) != 0)
            whittle_net_flush(each->connection);
    return whittle_in_loop(orb);
}

/* With `writing` held. The call is among those that wait from here on; false: the connection is not open. */
static bool whittle_exchange_open(struct whittle_call *call, uint64_t now)
{
    struct whittle_net_client *const client = &call->connection->net;
    if (!whittle_net_client_is_open(client, now))
        return false;
    __atomic_store_n(&call->connection->called, now, __ATOMIC_RELAXED);
    pthread_mutex_lock(&client->lock);
    const bool open = client->open;
    if (open)
        whittle_net_call_add(client, &call->net);
    pthread_mutex_unlock(&client->lock);
    return open;
}

/* It is not among those that wait any more. */
static void whittle_exchange_leave(struct whittle_call *call)
{
    struct whittle_net_client *const client = &call->connection->net;
    pthread_mutex_lock(&client->lock);
    whittle_net_call_remove(client, &call->net);
    pthread_mutex_unlock(&client->lock);
}

/* A failure, or 0; CLOSED: it is to be begun again. `quick`: no time has gone by since `now`, as far as it matters. */
static int whittle_exchange_send(struct whittle_call *call, char *end, bool *quick)
{
    enum { SHORT = 65536 };
    struct whittle_net_client *const client = &call->connection->net;
    const struct whittle_net_limits limits = {.deadline = call->net.deadline};
    int failure = whittle_net_begin_writing(client, &limits);
    if (failure != WHITTLE_NET_OK)
        return failure;
    const uint64_t now = whittle_net_now();
    *quick = (limits.deadline == 0 || now + 2 * WHITTLE_NET_SLICE < limits.deadline) && end - call->out.base + call->referred < SHORT;
    if (!whittle_exchange_open(call, now)) {
        pthread_mutex_unlock(&client->writing);
        return WHITTLE_NET_CLOSED;
    }
    failure = whittle_exchange_message(call, &limits, end);
    if (failure == WHITTLE_NET_OK)
        __atomic_store_n(&call->connection->codes_sent, true, __ATOMIC_RELAXED);
    else if (whittle_net_is_harmless(&call->net, failure))
        whittle_exchange_leave(call);
    else
        whittle_net_not_transmitted(client);
    pthread_mutex_unlock(&client->writing);
    return failure;
}

/* The request is not whole at the server: it can be sent again, over a new connection where this one had been good. */
static enum whittle_answer whittle_exchange_not_sent(struct whittle_call *call, int failure, CORBA_Environment *ev)
{
    const bool in_order = call->net.done && call->net.status == WHITTLE_NET_CLOSED;
    if (failure == WHITTLE_NET_CLOSED || (failure != WHITTLE_NET_TIMED_OUT && (in_order || __atomic_load_n(&call->connection->used, __ATOMIC_RELAXED))))
        return WHITTLE_ANSWER_AGAIN;
    if (failure == WHITTLE_NET_TIMED_OUT)
        WHITTLE_RAISE(ev, TIMEOUT, WHITTLE_CANNOT_SEND, NO);
    else
        WHITTLE_RAISE(ev, COMM_FAILURE, WHITTLE_CANNOT_SEND, NO);
    return WHITTLE_ANSWER_FAILED;
}

static enum whittle_answer whittle_exchange(struct whittle_call *call, char *end, CORBA_Environment *ev)
{
    struct whittle_connection *const connection = call->connection;
    bool quick = false;
    call->net.serves = call->waits && whittle_exchange_serves(connection->orb);
    const int failure = whittle_exchange_send(call, end, &quick);
    if (!call->waits)       /* another thread may be failing it */
        whittle_exchange_leave(call);
    else if (failure == WHITTLE_NET_OK && call->waits)
        whittle_net_await(&connection->net, &call->net, quick);
    if (!whittle_connection_is_open(connection))
        whittle_client_forget(connection);
    if (failure == WHITTLE_NET_OK && !call->waits)
        return WHITTLE_ANSWER_NONE;
    if (call->net.done && call->net.status == WHITTLE_NET_OK) {
        __atomic_store_n(&connection->used, true, __ATOMIC_RELAXED);
        return whittle_answer_read(call, ev);
    }
    if (failure != WHITTLE_NET_OK)
        return whittle_exchange_not_sent(call, failure, ev);
    if (call->net.status == WHITTLE_NET_TIMED_OUT)
        whittle_cancel(call);
    return whittle_answer_failed(call, ev);
}

enum whittle_answer whittle_call_send(struct whittle_call *call, char *at, CORBA_Environment *ev)
{
    if (at == NULL) {
        if (ev->_major == CORBA_NO_EXCEPTION)
            WHITTLE_RAISE(ev, MARSHAL, 0, NO);
        return WHITTLE_ANSWER_FAILED;
    }
    if (at == call->body && call->piece_count == 0)     /* no parameters: no padding before them */
        at = call->out.base + (call->header_end - call->out.base);
    if (!call->local)
        return whittle_exchange(call, at, ev);
    whittle_serve_here(call, at);
    if (!call->waits)
        return WHITTLE_ANSWER_NONE;
    if (call->net.reply.buffer != NULL)
        return whittle_answer_read(call, ev);
    WHITTLE_RAISE(ev, NO_MEMORY, 0, MAYBE);
    return WHITTLE_ANSWER_FAILED;
}
