/* SPDX-License-Identifier: MIT-0 */
/* What comes over a connection of a server: read, cut into messages by the protocol, and measured, so that slow peers are found. */
#include "server.h"
#include <errno.h>

enum { WHITTLE_NET_LONG = 65536, WHITTLE_NET_LOW_MOST = 1048576 };     /* bytes */

void whittle_net_end_reading(struct whittle_net_connection *connection)
{
    whittle_net_lock(connection->server, &connection->lock);
    connection->ended = true;
    whittle_net_unlock(connection->server, &connection->lock);
}

void whittle_net_lose(struct whittle_net_connection *connection)
{
    whittle_net_lock(connection->server, &connection->lock);
    connection->ended = true;
    __atomic_store_n(&connection->broken, true, __ATOMIC_RELAXED);
    whittle_net_unlock(connection->server, &connection->lock);
}

void whittle_net_protocol_error(struct whittle_net_connection *connection)
{
    struct whittle_net_server *const server = connection->server;
    whittle_net_increment(server, &server->usage.protocol_errors);
    if (server->protocol->protocol_error != NULL)
        server->protocol->protocol_error(connection);
    whittle_net_end_reading(connection);
}

/*
 * There is no memory now. Who holds most is hung up on, which takes effect a moment later: until then this connection waits, and is
 * tried again. false: for too long.
 */
WHITTLE_NET_COLD static bool whittle_net_await_memory(struct whittle_net_connection *connection)
{
    enum { MOST = 2000 };
    const struct whittle_net_message again = {.buffer = NULL};
    if (connection->server->ends_at != 0)       /* nobody takes jobs any more */
        return false;
    whittle_net_pool_trim(&connection->server->pool);
    whittle_net_shed_now(connection->server);
    const ssize_t there = connection->stream.ops->waiting(&connection->stream);
    if ((there < 0 && errno != EAGAIN && errno != EINTR) || connection->memory_retries > MOST)
        return false;
    connection->memory_retries++;
    if (__atomic_exchange_n(&connection->retried, true, __ATOMIC_ACQ_REL))
        return true;
    whittle_net_wait_for(-1, 0, whittle_net_now() + WHITTLE_NET_MILLISECOND);
    if (whittle_net_job_add(connection, &again))
        return true;
    __atomic_store_n(&connection->retried, false, __ATOMIC_RELEASE);
    return false;
}

/* false: none is to be served now. */
static bool whittle_net_may_serve(struct whittle_net_connection *connection)
{
    struct whittle_net_server *const server = connection->server;
    whittle_net_lock(server, &connection->lock);
    const bool may = !connection->full && !connection->ended && connection->serving < WHITTLE_NET_SERVING;
    connection->paused = !may && !connection->ended;
    whittle_net_unlock(server, &connection->lock);
    /* Stopped: what is left is served when one thread is left, within the grace. */
    if (!may || (server->ends_at == 0 ? !whittle_net_runs(server) : whittle_net_now() >= server->ends_at))
        return false;
    if (connection->reader.buffer == NULL || whittle_net_budget_admits(&server->pool.budget, WHITTLE_NET_WANT_REQUEST))
        return true;
    if (!whittle_net_await_memory(connection))
        return true;    /* to be refused */
    whittle_net_lock(server, &connection->lock);
    connection->paused = true;
    whittle_net_unlock(server, &connection->lock);
    return false;
}

bool whittle_net_next_request(struct whittle_net_connection *connection, struct whittle_net_message *message)
{
    struct whittle_net_server *const server = connection->server;
    const struct whittle_net_protocol *const protocol = server->protocol;
    while (whittle_net_may_serve(connection)) {
        const enum whittle_net_got got = protocol->next(&connection->reader, message);
        const enum whittle_net_kind kind = got != WHITTLE_NET_GOT_MESSAGE ? WHITTLE_NET_NO_MESSAGE
            : protocol->kind == NULL ? WHITTLE_NET_REQUEST : protocol->kind(connection, message);
        const bool was_waiting = connection->memory_retries != 0;
        connection->memory_retries = 0;
        if (got == WHITTLE_NET_GOT_NOTHING)
            return false;
        if (kind == WHITTLE_NET_NO_MESSAGE)
            whittle_net_protocol_error(connection);
        else if (kind == WHITTLE_NET_CLOSE)
            whittle_net_end_reading(connection);
        if (kind != WHITTLE_NET_REQUEST)
            continue;
        if (!was_waiting || whittle_net_budget_admits(&server->pool.budget, WHITTLE_NET_WANT_REQUEST))
            return true;
        whittle_net_increment(server, &server->usage.requests_refused);
        protocol->refuse(server, connection, message);
    }
    return false;
}

/* From how many bytes on the system reports that something has come; 0: from one on. */
static void whittle_net_set_low(struct whittle_net_connection *connection, uint32_t low)
{
    const int bytes = low == 0 ? 1 : (int)low;
    if (connection->stream.ops->await_bytes(&connection->stream, bytes))
        __atomic_store_n(&connection->low, low, __ATOMIC_RELAXED);
}

/*
 * While a long message comes, nobody is woken for each part of it (socket(7), SO_RCVLOWAT). The system keeps no more unread than
 * has been read, which counts against the server's memory.
 */
static void whittle_net_await_parts(struct whittle_net_connection *connection)
{
    const struct whittle_net_reader *const reader = &connection->reader;
    const size_t expects = whittle_net_reader_expects(reader), came = reader->filled - reader->begin;
    const size_t most = came < WHITTLE_NET_LOW_MOST ? came : (size_t)WHITTLE_NET_LOW_MOST;
    const uint32_t low = expects < WHITTLE_NET_LONG || came < WHITTLE_NET_LONG ? 0 : (uint32_t)(expects < most ? expects : most);
    const uint32_t before = __atomic_load_n(&connection->low, __ATOMIC_RELAXED);
    if (low == 0)
        __atomic_store_n(&connection->slow, false, __ATOMIC_RELAXED);
    if (before != low && !__atomic_load_n(&connection->slow, __ATOMIC_RELAXED))
        whittle_net_set_low(connection, low);
}

void whittle_net_await_less(struct whittle_net_connection *connection)
{
    if (__atomic_load_n(&connection->low, __ATOMIC_RELAXED) == 0)
        return;
    __atomic_store_n(&connection->slow, true, __ATOMIC_RELAXED);
    whittle_net_set_low(connection, 0);
}

void whittle_net_measure(struct whittle_net_connection *connection, size_t served)
{
    whittle_net_await_parts(connection);
    const struct whittle_net_reader *const reader = &connection->reader;
    /* What may be a whole request, and waits for memory here, is not the peer's fault. */
    const bool waits = connection->memory_retries != 0 && !reader->mid_message && reader->partials == NULL;
    const bool mid_message = !waits && whittle_net_reader_is_mid_message(reader), ran = whittle_net_meter_runs(&connection->in);
    if (mid_message ? served > 0 || !ran : ran)
        whittle_net_meter_set(&connection->in, mid_message ? whittle_net_now() : 0);
    __atomic_store_n(&connection->held, mid_message ? whittle_net_reader_holds(reader) : 0, __ATOMIC_RELAXED);
}

enum whittle_net_came whittle_net_read(struct whittle_net_connection *connection, int flags)
{
    size_t room;
    char *to = whittle_net_reader_room(&connection->reader, &room);
    if (to == NULL && whittle_net_shed_now(connection->server))
        to = whittle_net_reader_room(&connection->reader, &room);
    if (to == NULL && whittle_net_await_memory(connection))
        return WHITTLE_NET_NO_ROOM;
    if (to == NULL) {
        whittle_net_increment(connection->server, &connection->server->usage.shed);
        whittle_net_end_reading(connection);
        return WHITTLE_NET_CAME_NOTHING;
    }
    ssize_t came;
    do      /* what epoll has reported is not reported again */
        came = connection->stream.ops->receive(&connection->stream, to, room, flags);
    while (came < 0 && errno == EINTR && (flags & MSG_DONTWAIT) != 0);
    if (came <= 0) {
        const bool nothing = came < 0 && (errno == EAGAIN || errno == EINTR);
        if (came == 0)
            whittle_net_end_reading(connection);
        else if (!nothing)
            whittle_net_lose(connection);
        return WHITTLE_NET_CAME_NOTHING;
    }
    whittle_net_reader_came(&connection->reader, (size_t)came);
    if (whittle_net_meter_runs(&connection->in))
        whittle_net_meter_move(&connection->in, (size_t)came);
    return (size_t)came == room ? WHITTLE_NET_CAME_MORE : WHITTLE_NET_CAME_SOME;
}
