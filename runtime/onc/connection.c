/* SPDX-License-Identifier: MIT-0 */
/*
 * One connection of a server, as epoll tells of it. Without workers it tells once of each change; with workers it tells one
 * thread, which asks it to go on when it has read. A peer that does not read its replies is not read from either.
 */
#include "server.h"
#include <sys/epoll.h>

/* With its lock held: what epoll is to tell of it, where several threads listen. */
static void whittle_onc_rewatch(struct whittle_onc_connection *connection)
{
    const bool wants = !connection->full && !connection->ended && connection->serving < WHITTLE_ONC_SERVING;
    /* What was read already may be served now: epoll tells at once that there is room to write. */
    const bool writes = connection->queue != NULL || (wants && connection->paused);
    const uint32_t wanted = (wants ? (uint32_t)EPOLLIN : 0) | (writes ? (uint32_t)EPOLLOUT : 0);
    if (!connection->server->shared || connection->gone || connection->handled || wanted == connection->interest)
        return;
    struct epoll_event event = {.events = wanted | (uint32_t)EPOLLONESHOT, .data.ptr = &connection->watched};
    connection->interest = wanted;
    epoll_ctl(connection->server->epoll, EPOLL_CTL_MOD, connection->fd, &event);
}

/* A Unix socket tells of room whenever its peer has read something: it is asked only where something waits. */
uint32_t whittle_onc_connection_events(struct whittle_onc_connection *connection)
{
    if (connection->server->shared)
        return (uint32_t)EPOLLIN | (uint32_t)EPOLLONESHOT;
    connection->awaits_room = !connection->local || connection->queue != NULL;
    return (uint32_t)EPOLLIN | (uint32_t)EPOLLRDHUP | (uint32_t)EPOLLET | (connection->awaits_room ? (uint32_t)EPOLLOUT : 0);
}

/* There may be more to read, which epoll told of before; or it is to tell of something else. */
static void whittle_onc_tell_again(struct whittle_onc_connection *connection)
{
    struct epoll_event event = {.events = whittle_onc_connection_events(connection), .data.ptr = &connection->watched};
    epoll_ctl(connection->server->epoll, EPOLL_CTL_MOD, connection->fd, &event);
}

/* No thread handles it any more, or one less serves a request of it. */
void whittle_onc_leave(struct whittle_onc_connection *connection, bool broken, bool served)
{
    struct whittle_onc_server *const server = connection->server;
    whittle_onc_hold(server, &connection->lock);
    if (connection->presses) {
        connection->presses = false;
        whittle_onc_let_go(server, &connection->lock);
        whittle_onc_relieve(connection);
        whittle_onc_hold(server, &connection->lock);
    }
    if (served)
        connection->serving--;
    else
        connection->handled = false;
    const bool over = connection->ended && connection->serving == 0 && connection->queue == NULL && !connection->handled && !connection->gone;
    /* An event may be on its way to another thread: then that one closes. */
    const bool awaited = server->shared && connection->interest != 0;
    const bool closes = (broken && !connection->gone) || (over && !awaited);
    if (over && awaited)
        shutdown(connection->fd, SHUT_RDWR);
    else if (!closes)
        whittle_onc_rewatch(connection);
    whittle_onc_let_go(server, &connection->lock);
    if (closes)
        whittle_onc_connection_close(connection);
}

void whittle_onc_connection_served(struct whittle_onc_connection *connection)
{
    whittle_onc_leave(connection, false, true);
}

static bool whittle_onc_flush_locked(struct whittle_onc_connection *connection)
{
    whittle_onc_hold(connection->server, &connection->lock);
    const bool good = whittle_onc_flush(connection);
    whittle_onc_let_go(connection->server, &connection->lock);
    return good;
}

/* What waits is sent, and what was read already is served while the peer takes the answers. */
WHITTLE_ONC_RARE static bool whittle_onc_catch_up(struct whittle_onc_connection *connection)
{
    bool good = connection->queue == NULL || whittle_onc_flush(connection);
    while (good && connection->paused && !connection->full) {
        whittle_onc_messages(connection);
        good = connection->queue == NULL || whittle_onc_flush(connection);
    }
    return good;
}

/* This thread is the only one: mostly nothing waits. */
static bool whittle_onc_go_on(struct whittle_onc_connection *connection)
{
    return (connection->queue == NULL && !connection->paused) || whittle_onc_catch_up(connection);
}

/* This thread is the only one. */
WHITTLE_ONC_FLAT static void whittle_onc_ready_alone(struct whittle_onc_connection *connection, uint32_t events)
{
    enum { READS = 16 };    /* then it is others' turn */
    const bool was_full = connection->full, hangs_up = (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0;
    bool good = whittle_onc_go_on(connection);
    bool more = (events & EPOLLIN) != 0 || hangs_up || (was_full && !connection->full);
    for (int reads = 0; good && more && reads < READS && !connection->ended && !connection->full; reads++) {
        const enum whittle_onc_came came = whittle_onc_read(connection, MSG_DONTWAIT);
        more = came == WHITTLE_ONC_CAME_MORE || (came == WHITTLE_ONC_CAME_SOME && hangs_up);
        good = whittle_onc_go_on(connection);
    }
    if (connection->presses)
        whittle_onc_relieve(connection);
    if (!good || (connection->ended && connection->queue == NULL))
        whittle_onc_connection_close(connection);
    else if ((more && !connection->ended && !connection->full) || (connection->queue != NULL && !connection->awaits_room) ||
             (connection->queue == NULL && connection->awaits_room && connection->local))
        whittle_onc_tell_again(connection);
}

/* Others may be serving requests of it. */
static void whittle_onc_ready_shared(struct whittle_onc_connection *connection, uint32_t events)
{
    pthread_mutex_lock(&connection->lock);
    const bool handled = connection->handled, paused = connection->paused;
    const bool gone = connection->gone;     /* closed meanwhile: its memory is kept for this */
    if (!gone) {
        connection->interest = 0;       /* epoll has told once */
        connection->handled = true;
    }
    pthread_mutex_unlock(&connection->lock);
    if (gone || handled)    /* whoever does sees to what this was about */
        return;
    bool good = (events & (EPOLLOUT | EPOLLERR)) == 0 || whittle_onc_flush_locked(connection);
    bool left = good && paused && whittle_onc_messages(connection);
    if (good && !left && (events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0)
        left = whittle_onc_read(connection, MSG_DONTWAIT) == WHITTLE_ONC_CAME_AND_LEFT;
    if (left)
        return;
    good = good && whittle_onc_flush_locked(connection);
    whittle_onc_leave(connection, !good, false);
}

void whittle_onc_connection_ready(struct whittle_onc_server *server, struct whittle_onc_watched *watched, uint32_t events)
{
    struct whittle_onc_connection *const connection = (struct whittle_onc_connection *)(void *)watched;
    if (server->shared)
        whittle_onc_ready_shared(connection, events);
    else
        whittle_onc_ready_alone(connection, events);
}

void whittle_onc_connection_aside(struct whittle_onc_connection *connection)
{
    epoll_ctl(connection->server->epoll, EPOLL_CTL_DEL, connection->fd, NULL);
}

void whittle_onc_connection_back(struct whittle_onc_connection *connection)
{
    struct whittle_onc_server *const server = connection->server;
    if (!connection->gone && !whittle_onc_watch(server, connection->fd, &connection->watched, whittle_onc_connection_events(connection)))
        whittle_onc_connection_close(connection);
}

WHITTLE_ONC_FLAT bool whittle_onc_connection_ask(struct whittle_onc_connection *connection)
{
    if (connection->ended || connection->full || connection->queue != NULL)
        return false;
    const enum whittle_onc_came came = whittle_onc_read(connection, 0);
    if (!whittle_onc_go_on(connection))
        connection->ended = true;
    if (connection->presses)
        whittle_onc_relieve(connection);
    if (!connection->ended)
        return came != WHITTLE_ONC_CAME_NOTHING;
    if (connection->queue == NULL)
        whittle_onc_connection_close(connection);
    return false;
}

void whittle_onc_connection_finish(struct whittle_onc_connection *connection)
{
    enum { READS = 16 };
    for (int reads = 0; reads < READS && !connection->ended && !connection->full; reads++)
        if (whittle_onc_read(connection, MSG_DONTWAIT) == WHITTLE_ONC_CAME_NOTHING)
            break;
    connection->ended = true;
    if (!whittle_onc_flush(connection) || connection->queue == NULL)
        whittle_onc_connection_close(connection);
}
