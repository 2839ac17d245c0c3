/* SPDX-License-Identifier: MIT-0 */
/*
 * Replies on their way. A reply is written behind those that wait on the same connection, so that all leave together; where requests of
 * a connection are served at the same time it has a buffer of its own. What the socket takes goes at once; the rest waits until it
 * takes more.
 */
#include "server.h"
#include <errno.h>

enum { WHITTLE_NET_APPEND_ROOM = 512, WHITTLE_NET_FLUSH_AT = 256 * 1024 };

WHITTLE_NET_COLD void whittle_net_hang_up(struct whittle_net_connection *connection)
{
    whittle_net_lock(connection->server, &connection->lock);
    connection->ended = true;
    __atomic_store_n(&connection->broken, true, __ATOMIC_RELAXED);
    whittle_net_unlock(connection->server, &connection->lock);
    shutdown(connection->source.fd, SHUT_RDWR);     /* whoever handles it sees its end */
}

/*
 * A buffer of at least so many bytes. Where there is no memory, who holds most is hung up on; where a thread still has that connection, its
 * memory is free a moment later, which is waited for.
 */
WHITTLE_NET_HOT static struct whittle_net_buffer *whittle_net_output_take(struct whittle_net_server *server, size_t least, size_t wanted)
{
    enum { TRIES = 20 };
    struct whittle_net_buffer *buffer = whittle_net_buffer_take(&server->pool, wanted, least);
    if (buffer == NULL && least < wanted)   /* near the bound: no more than is needed */
        buffer = whittle_net_buffer_take(&server->pool, least, least);
    for (int tries = 0; buffer == NULL && tries < TRIES && whittle_net_shed_now(server); tries++) {
        if (tries > 0)
            whittle_net_wait_for(-1, 0, whittle_net_now() + WHITTLE_NET_MILLISECOND);
        buffer = whittle_net_buffer_take(&server->pool, least, least);
        if (!server->shared)
            break;
    }
    return buffer;
}

WHITTLE_NET_HOT char *whittle_net_output_open(struct whittle_net_server *server, struct whittle_net_connection *connection, struct whittle_net_output *output)
{
    struct whittle_net_buffer *const tail = connection == NULL || server->overtaking ? NULL : connection->tail;
    output->appended = tail != NULL && tail->room - tail->to >= WHITTLE_NET_APPEND_ROOM;
    output->buffer = output->appended ? tail : whittle_net_output_take(server, WHITTLE_NET_SMALL, WHITTLE_NET_SMALL);
    output->base = output->appended ? tail->to : 0;
    if (output->buffer != NULL)
        return output->buffer->bytes + output->base;
    if (connection != NULL)     /* who waits is not to wait for ever */
        whittle_net_hang_up(connection);
    return NULL;
}

WHITTLE_NET_COLD char *whittle_net_output_grow(struct whittle_net_server *server, struct whittle_net_output *output, size_t used, size_t least, size_t most)
{
    struct whittle_net_pool *const pool = &server->pool;
    struct whittle_net_buffer *const old = output->buffer;
    if (least > most)
        return NULL;
    const size_t twice = 2 * used > WHITTLE_NET_SMALL ? 2 * used : least, wanted = least < twice ? twice : least;
    struct whittle_net_buffer *const fresh = whittle_net_output_take(server, least, wanted);
    if (fresh == NULL)
        return NULL;
    memcpy(fresh->bytes, old->bytes + output->base, used);
    if (!output->appended)
        whittle_net_buffer_give(pool, old);
    *output = (struct whittle_net_output){.buffer = fresh};
    return fresh->bytes;
}

/* Bytes [from, to) of the buffer, which is the queue's then. With the lock held. */
static void whittle_net_enqueue(struct whittle_net_connection *connection, struct whittle_net_buffer *buffer, size_t from, size_t to)
{
    buffer->next = NULL;
    buffer->from = from;
    buffer->to = to;
    if (connection->tail != NULL)
        connection->tail->next = buffer;
    else
        connection->queue = buffer;
    connection->tail = buffer;
    __atomic_store_n(&connection->queued, connection->queued + (to - from), __ATOMIC_RELAXED);
    __atomic_store_n(&connection->kept, connection->kept + buffer->room, __ATOMIC_RELAXED);
}

/* A short reply stands behind the last one where that has room. With the lock held. */
static bool whittle_net_join(struct whittle_net_connection *connection, const struct whittle_net_output *output, size_t size)
{
    enum { SHORT = 4096 };
    struct whittle_net_buffer *const tail = connection->tail;
    if (tail == NULL || size > SHORT || tail->room - tail->to < size)
        return false;
    memcpy(tail->bytes + tail->to, output->buffer->bytes + output->base, size);
    tail->to += size;
    __atomic_store_n(&connection->queued, connection->queued + size, __ATOMIC_RELAXED);
    return true;
}

/* So many bytes of the queue have gone. */
static void whittle_net_dequeue(struct whittle_net_connection *connection, size_t sent)
{
    __atomic_store_n(&connection->queued, connection->queued - sent, __ATOMIC_RELAXED);
    while (connection->queue != NULL && sent >= connection->queue->to - connection->queue->from) {
        struct whittle_net_buffer *const buffer = connection->queue;
        sent -= buffer->to - buffer->from;
        connection->queue = buffer->next;
        if (connection->queue == NULL)
            connection->tail = NULL;
        __atomic_store_n(&connection->kept, connection->kept - buffer->room, __ATOMIC_RELAXED);
        whittle_net_buffer_give(&connection->server->pool, buffer);
    }
    if (connection->queue != NULL)
        connection->queue->from += sent;
}

/* With the lock held. */
static bool whittle_net_flush_locked(struct whittle_net_connection *connection)
{
    enum { PIECES = 64 };
    while (connection->queue != NULL && !connection->broken) {
        struct iovec pieces[PIECES];
        int count = 0;
        for (struct whittle_net_buffer *buffer = connection->queue; buffer != NULL && count < PIECES; buffer = buffer->next)
            pieces[count++] = (struct iovec){buffer->bytes + buffer->from, buffer->to - buffer->from};
        const ssize_t sent = connection->stream.ops->send(&connection->stream, pieces, count, MSG_DONTWAIT);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0 && errno != EAGAIN) {
            connection->ended = true;
            __atomic_store_n(&connection->broken, true, __ATOMIC_RELAXED);
        }
        if (sent < 0)
            break;
        whittle_net_dequeue(connection, (size_t)sent);
        whittle_net_meter_move(&connection->out, (size_t)sent);
    }
    const bool ran = whittle_net_meter_runs(&connection->out);
    if (ran != (connection->queue != NULL))
        whittle_net_meter_set(&connection->out, ran ? 0 : whittle_net_now());
    connection->full = connection->queued > connection->server->options.pending;
    return !connection->broken;
}

bool whittle_net_flush(struct whittle_net_connection *connection)
{
    whittle_net_lock(connection->server, &connection->lock);
    const bool good = whittle_net_flush_locked(connection);
    whittle_net_unlock(connection->server, &connection->lock);
    return good;
}

/* Those that go one after the other are sent together, when what came is served, or there is much of it. */
WHITTLE_NET_HOT void whittle_net_output_send(struct whittle_net_connection *connection, struct whittle_net_output *output, size_t size)
{
    struct whittle_net_server *const server = connection->server;
    whittle_net_lock(server, &connection->lock);
    const bool waits = connection->queue != NULL;
    if (connection->broken || connection->closed) {
        if (!output->appended)
            whittle_net_buffer_give(&server->pool, output->buffer);
    } else if (output->appended) {
        output->buffer->to += size;
        __atomic_store_n(&connection->queued, connection->queued + size, __ATOMIC_RELAXED);
    } else if (whittle_net_join(connection, output, size)) {
        whittle_net_buffer_give(&server->pool, output->buffer);
    } else {
        whittle_net_enqueue(connection, output->buffer, output->base, output->base + size);
    }
    output->buffer = NULL;
    if ((server->overtaking ? !waits : connection->queued >= WHITTLE_NET_FLUSH_AT) && !whittle_net_flush_locked(connection))
        shutdown(connection->source.fd, SHUT_RDWR);     /* whoever handles it sees its end */
    connection->full = connection->queued > server->options.pending;
    whittle_net_unlock(server, &connection->lock);
}

void whittle_net_send_bytes(struct whittle_net_connection *connection, const void *bytes, size_t size)
{
    struct iovec part = {(char *)(uintptr_t)bytes, size};
    whittle_net_lock(connection->server, &connection->lock);
    if (connection->queue == NULL && !connection->broken)
        connection->stream.ops->send(&connection->stream, &part, 1, MSG_DONTWAIT);
    whittle_net_unlock(connection->server, &connection->lock);
}
