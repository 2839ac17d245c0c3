/* SPDX-License-Identifier: MIT-0 */
/*
 * One connection of a server: reads what there is, and serves the requests in it. With workers, the first request is served
 * here and the others are left to whoever is free. A peer that does not read its replies is not read from either.
 */
#include "parts.h"
#include <errno.h>
#include <sys/epoll.h>
#include <sys/socket.h>

enum { WHITTLE_SERVING = 64 };  /* requests of one connection at a time */

/* With its lock held: what epoll is to tell of it. */
static void whittle_watch(struct whittle_connection *connection)
{
    const bool wants = !connection->full && !connection->ended && connection->serving < WHITTLE_SERVING;
    const uint32_t wanted = (wants ? (uint32_t)EPOLLIN : 0) | (connection->queued > 0 ? (uint32_t)EPOLLOUT : 0);
    const bool shared = connection->orb->shared;
    if (connection->gone || connection->handled || (shared ? wanted == 0 && !connection->ended : wanted == connection->interest))
        return;
    struct epoll_event event = {.events = wanted | (shared ? (uint32_t)EPOLLONESHOT : 0), .data.u64 = connection->watched};
    connection->interest = wanted;
    epoll_ctl(connection->orb->epoll, EPOLL_CTL_MOD, connection->fd, &event);
}

void whittle_server_watch(struct whittle_connection *connection)
{
    pthread_mutex_lock(&connection->lock);
    whittle_watch(connection);
    pthread_mutex_unlock(&connection->lock);
}

/* Ended, and nothing is left to do for it: with its lock held. */
static bool whittle_server_over(const struct whittle_connection *connection)
{
    return connection->ended && connection->serving == 0 && connection->queued == 0 && !connection->gone;
}

/* No thread handles it any more, or one less serves a request of it. */
static void whittle_server_leave(struct whittle_connection *connection, bool broken, uint32_t served)
{
    pthread_mutex_lock(&connection->lock);
    connection->serving -= served;
    if (served == 0)
        connection->handled = false;
    const bool over = broken || (!connection->handled && whittle_server_over(connection));
    if (!over)
        whittle_watch(connection);
    pthread_mutex_unlock(&connection->lock);
    if (over)
        whittle_server_close(connection);
}

void whittle_server_done(struct whittle_connection *connection)
{
    whittle_server_leave(connection, false, 1);
}

/* What makes no sense is told so, and heard no more. */
void whittle_server_nonsense(struct whittle_connection *connection)
{
    char message[WHITTLE_HEADER];
    whittle_put_header(message, 2, WHITTLE_MESSAGE_ERROR);
    pthread_mutex_lock(&connection->writing);
    if (connection->queue == NULL)
        send(connection->fd, message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT);
    pthread_mutex_unlock(&connection->writing);
    connection->ended = true;
    shutdown(connection->fd, SHUT_RD);
}

/* A message; true: a request, which is still to be served. */
static bool whittle_server_look(struct whittle_connection *connection, const struct whittle_message *message)
{
    switch ((enum whittle_message_type)message->base[WHITTLE_TYPE_AT]) {
    case WHITTLE_REQUEST:
    case WHITTLE_LOCATE_REQUEST: return true;
    case WHITTLE_CANCEL_REQUEST:    /* what is being served is served */
        if (message->end - message->base >= WHITTLE_FRAGMENT_HEADER)
            whittle_fragment_forget(&connection->reader,
                                    whittle_peek32(message->base + WHITTLE_HEADER, whittle_is_swapped(message->base)));
        break;
    case WHITTLE_CLOSE_CONNECTION:
    case WHITTLE_MESSAGE_ERROR: connection->ended = true; break;
    case WHITTLE_REPLY:
    case WHITTLE_LOCATE_REPLY:
    case WHITTLE_FRAGMENT: whittle_server_nonsense(connection); break;
    }
    whittle_buffer_give(&connection->orb->pool, message->buffer);
    return false;
}

static void whittle_server_one_by_one(struct whittle_connection *connection)
{
    struct whittle_message message;
    enum whittle_got got = WHITTLE_GOT_NOTHING;
    while (!connection->full && !connection->ended && (got = whittle_reader_next(&connection->reader, &message)) == WHITTLE_GOT_MESSAGE)
        if (whittle_server_look(connection, &message)) {
            connection->serving++;
            whittle_serve(connection->orb, connection, &message);
            connection->serving--;
        }
    if (got == WHITTLE_GOT_NONSENSE)
        whittle_server_nonsense(connection);
}

static void whittle_server_count(struct whittle_connection *connection)
{
    pthread_mutex_lock(&connection->lock);
    connection->serving++;
    pthread_mutex_unlock(&connection->lock);
}

/* Leaves the connection to others before the first request is served; false: there was none, and it was not left. */
static bool whittle_server_shared(struct whittle_connection *connection)
{
    struct whittle_message message, first = {.buffer = NULL};
    enum whittle_got got;
    while (!connection->ended && (got = whittle_reader_next(&connection->reader, &message)) != WHITTLE_GOT_NOTHING) {
        if (got == WHITTLE_GOT_NONSENSE) {
            whittle_server_nonsense(connection);
        } else if (whittle_server_look(connection, &message)) {
            whittle_server_count(connection);
            if (first.buffer == NULL)
                first = message;
            else
                whittle_job(connection->orb, connection, &message);
        }
    }
    __atomic_store_n(&connection->amid, whittle_reader_is_amid(&connection->reader), __ATOMIC_RELAXED);
    if (first.buffer == NULL)
        return false;
    whittle_server_leave(connection, false, 0);
    whittle_serve(connection->orb, connection, &first);
    whittle_server_done(connection);
    return true;
}

/* true: the connection has been left to others. */
static bool whittle_server_messages(struct whittle_connection *connection)
{
    if (connection->orb->shared)
        return whittle_server_shared(connection);
    whittle_server_one_by_one(connection);
    __atomic_store_n(&connection->amid, whittle_reader_is_amid(&connection->reader), __ATOMIC_RELAXED);
    return false;
}

static bool whittle_server_read(struct whittle_connection *connection)
{
    size_t room;
    char *const to = whittle_reader_room(&connection->reader, &room);
    const ssize_t came = to == NULL ? 0 : recv(connection->fd, to, room, MSG_DONTWAIT);
    if (came < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    if (came <= 0) {
        connection->ended = true;
        return false;
    }
    connection->reader.filled += (size_t)came;
    __atomic_store_n(&connection->moved, true, __ATOMIC_RELAXED);
    __atomic_store_n(&connection->seen, __atomic_add_fetch(&connection->orb->sequence, 1, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
    return whittle_server_messages(connection);
}

void whittle_server_ready(struct whittle_connection *connection, uint32_t events)
{
    if (connection->orb->shared) {
        pthread_mutex_lock(&connection->lock);
        const bool handled = connection->handled;
        connection->handled = true;
        pthread_mutex_unlock(&connection->lock);
        if (handled)    /* whoever does sees to what this event was about */
            return;
    }
    const bool was_full = connection->full;
    const bool broken = (events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) != 0 && !whittle_outgoing_flush(connection);
    bool left = was_full && !connection->full && !broken && whittle_server_messages(connection);
    if (!left && !connection->full && !connection->ended && (events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0 && !broken)
        left = whittle_server_read(connection);
    if (!left)
        whittle_server_leave(connection, broken, 0);
}
