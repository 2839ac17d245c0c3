/* SPDX-License-Identifier: MIT-0 */
/*
 * What comes over a connection of a server, and the requests in it served: one after the other, or, where they may overtake each
 * other, the first here and the others by whoever is free.
 */
#include "server.h"
#include <errno.h>
#include <sys/socket.h>

enum { WHITTLE_ONC_LONG = 65536, WHITTLE_ONC_LOW_MOST = 1048576 };     /* bytes */

static void whittle_onc_end_reading(struct whittle_onc_connection *connection)
{
    whittle_onc_hold(connection->server, &connection->lock);
    connection->ended = true;
    whittle_onc_let_go(connection->server, &connection->lock);
}

/* false: there is no whole record, or none is to be served now. */
static bool whittle_onc_next(struct whittle_onc_connection *connection, struct whittle_onc_message *message)
{
    whittle_onc_hold(connection->server, &connection->lock);
    const bool may = !connection->full && !connection->ended && connection->serving < WHITTLE_ONC_SERVING;
    connection->paused = !may && !connection->ended;
    whittle_onc_let_go(connection->server, &connection->lock);
    if (!may)
        return false;
    const enum whittle_onc_got got = whittle_onc_reader_next(&connection->reader, message);
    if (got == WHITTLE_ONC_GOT_NONSENSE)
        whittle_onc_end_reading(connection);
    return got == WHITTLE_ONC_GOT_MESSAGE;
}

/* From how many bytes on the system tells that something has come; 0: from one on. */
static void whittle_onc_set_low(struct whittle_onc_connection *connection, uint32_t low)
{
    const int bytes = low == 0 ? 1 : (int)low;
    if (setsockopt(connection->fd, SOL_SOCKET, SO_RCVLOWAT, &bytes, sizeof bytes) == 0)
        __atomic_store_n(&connection->low, low, __ATOMIC_RELAXED);
}

/*
 * While a long record comes, nobody is woken for each part of it (socket(7), SO_RCVLOWAT). The system keeps no more unread than
 * has been read, for which the server answers to its bound of memory.
 */
static void whittle_onc_await(struct whittle_onc_connection *connection)
{
    const struct whittle_onc_reader *const reader = &connection->reader;
    const size_t expects = whittle_onc_reader_expects(reader), came = reader->filled - reader->begin;
    const size_t most = came < WHITTLE_ONC_LOW_MOST ? came : WHITTLE_ONC_LOW_MOST;
    const uint32_t low = expects < WHITTLE_ONC_LONG || came < WHITTLE_ONC_LONG ? 0 : (uint32_t)(expects < most ? expects : most);
    const uint32_t before = __atomic_load_n(&connection->low, __ATOMIC_RELAXED);
    if (low == 0)
        __atomic_store_n(&connection->slow, false, __ATOMIC_RELAXED);
    if (before != low && !__atomic_load_n(&connection->slow, __ATOMIC_RELAXED))
        whittle_onc_set_low(connection, low);
}

void whittle_onc_await_less(struct whittle_onc_connection *connection)
{
    if (__atomic_load_n(&connection->low, __ATOMIC_RELAXED) == 0)
        return;
    __atomic_store_n(&connection->slow, true, __ATOMIC_RELAXED);
    whittle_onc_set_low(connection, 0);
}

/* What is under way, for whoever looks after slow ones; and what it holds of the memory for such. */
static void whittle_onc_measure(struct whittle_onc_connection *connection, size_t served)
{
    struct whittle_onc_server *const server = connection->server;
    whittle_onc_await(connection);
    const bool amid = whittle_onc_reader_is_amid(&connection->reader);
    const size_t holds = amid && connection->reader.buffer != NULL && connection->reader.buffer->room > WHITTLE_ONC_SMALL
        ? connection->reader.buffer->room : 0;
    const bool ran = whittle_onc_meter_runs(&connection->in);
    if (amid ? served > 0 || !ran : ran)
        whittle_onc_meter_set(&connection->in, amid ? whittle_onc_now() : 0);
    if (holds == connection->charged)
        return;
    const size_t all = __atomic_add_fetch(&server->memory, holds - connection->charged, __ATOMIC_RELAXED);
    __atomic_store_n(&connection->charged, holds, __ATOMIC_RELAXED);
    if (holds != 0 && all / (1024 * 1024) >= server->options.memory && !whittle_onc_make_room(connection))
        whittle_onc_end_reading(connection);
}

static void whittle_onc_count(struct whittle_onc_connection *connection, uint32_t change)
{
    whittle_onc_hold(connection->server, &connection->lock);
    connection->serving += change;
    whittle_onc_let_go(connection->server, &connection->lock);
}

/* One request, in its turn. */
static bool whittle_onc_serve_next(struct whittle_onc_connection *connection, struct whittle_onc_message *message)
{
    whittle_onc_count(connection, 1);
    const bool good = whittle_onc_serve_message(connection->server, connection, NULL, message);
    whittle_onc_count(connection, ~0u);
    return good;
}

static size_t whittle_onc_one_by_one(struct whittle_onc_connection *connection)
{
    struct whittle_onc_message message;
    size_t served = 0;
    for (; whittle_onc_next(connection, &message); served++) {
        if (!whittle_onc_serve_next(connection, &message))
            whittle_onc_end_reading(connection);
        else if (served == 0)
            whittle_onc_connection_touch(connection);
    }
    if (!connection->server->shared)
        connection->server->served += (uint32_t)served;
    return served;
}

/* Leaves the connection to others before the first request is served; false: there was none, and it was not left. */
static bool whittle_onc_to_all(struct whittle_onc_connection *connection)
{
    struct whittle_onc_message message, first = {.buffer = NULL};
    size_t count = 0;
    for (; whittle_onc_next(connection, &message); count++) {
        whittle_onc_count(connection, 1);
        if (count == 0)
            first = message;
        else
            whittle_onc_job_add(connection, &message);
    }
    whittle_onc_measure(connection, count);
    if (count == 0)
        return false;
    whittle_onc_connection_keep(connection);
    whittle_onc_leave(connection, false, false);
    if (whittle_onc_serve_message(connection->server, connection, NULL, &first))
        whittle_onc_connection_touch(connection);
    else
        whittle_onc_end_reading(connection);
    whittle_onc_connection_served(connection);
    whittle_onc_connection_drop(connection);
    return true;
}

bool whittle_onc_messages(struct whittle_onc_connection *connection)
{
    if (connection->server->overtaking)
        return whittle_onc_to_all(connection);
    whittle_onc_measure(connection, whittle_onc_one_by_one(connection));
    return false;
}

enum whittle_onc_came whittle_onc_read(struct whittle_onc_connection *connection, int flags)
{
    size_t room;
    char *const to = whittle_onc_reader_room(&connection->reader, &room);
    const ssize_t came = to == NULL ? 0 : recv(connection->fd, to, room, flags);
    if (came <= 0) {
        if (came == 0 || (errno != EAGAIN && errno != EINTR))
            whittle_onc_end_reading(connection);
        return WHITTLE_ONC_CAME_NOTHING;
    }
    whittle_onc_reader_came(&connection->reader, (size_t)came);
    if (whittle_onc_meter_runs(&connection->in))
        whittle_onc_meter_move(&connection->in, (size_t)came);
    if (whittle_onc_messages(connection))
        return WHITTLE_ONC_CAME_AND_LEFT;
    return (size_t)came == room ? WHITTLE_ONC_CAME_MORE : WHITTLE_ONC_CAME_SOME;
}
