/* SPDX-License-Identifier: MIT-0 */
/*
 * The connections of a server, all together: taken in up to a number, looked after, closed. Where there are too many, one goes
 * that never asked anything, or else one that has been silent longest.
 */
#include "server.h"
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { WHITTLE_ONC_LEAST_RATE = 1024 };     /* bytes a second that a slow peer moves */

static struct whittle_onc_connections *whittle_onc_list_of(struct whittle_onc_connection *connection)
{
    return connection->known ? &connection->server->known : &connection->server->strangers;
}

static void whittle_onc_list_add(struct whittle_onc_connection *connection)
{
    struct whittle_onc_connections *const list = whittle_onc_list_of(connection);
    connection->next = NULL;
    connection->previous = list->last;
    if (list->last != NULL)
        list->last->next = connection;
    else
        list->first = connection;
    list->last = connection;
}

static void whittle_onc_list_remove(struct whittle_onc_connection *connection)
{
    struct whittle_onc_connections *const list = whittle_onc_list_of(connection);
    if (connection->previous != NULL)
        connection->previous->next = connection->next;
    else
        list->first = connection->next;
    if (connection->next != NULL)
        connection->next->previous = connection->previous;
    else
        list->last = connection->previous;
}

/* It has asked something: it is known, and was heard last. */
void whittle_onc_connection_touch(struct whittle_onc_connection *connection)
{
    struct whittle_onc_server *const server = connection->server;
    whittle_onc_hold(server, &server->gate);
    if (!connection->gone && (!connection->known || connection->next != NULL)) {
        whittle_onc_list_remove(connection);
        connection->known = true;
        whittle_onc_list_add(connection);
    }
    whittle_onc_let_go(server, &server->gate);
}

/* The first of those that nothing is under way for. With the gate held. */
static struct whittle_onc_connection *whittle_onc_idle(const struct whittle_onc_connections *list, bool strangers)
{
    enum { LOOKS = 32 };
    struct whittle_onc_connection *each = list->first;
    for (int looks = 0; each != NULL && looks < LOOKS; each = each->next, looks++) {
        whittle_onc_hold(each->server, &each->lock);
        const bool busy = each->queued != 0 || each->serving != 0 || whittle_onc_meter_runs(&each->in);
        const bool chosen = !each->ended && (strangers || !busy);
        whittle_onc_let_go(each->server, &each->lock);
        if (chosen)
            return each;
    }
    return NULL;
}

static bool whittle_onc_evict(struct whittle_onc_server *server)
{
    struct whittle_onc_connection *found = whittle_onc_idle(&server->strangers, true);
    if (found == NULL)
        found = whittle_onc_idle(&server->known, false);
    if (found == NULL)
        return false;
    shutdown(found->fd, SHUT_RDWR);     /* whoever handles it sees its end */
    whittle_onc_list_remove(found);     /* and nobody chooses it again */
    whittle_onc_list_add(found);
    return true;
}

void whittle_onc_connection_keep(struct whittle_onc_connection *connection)
{
    __atomic_fetch_add(&connection->refs, 1, __ATOMIC_RELAXED);
}

void whittle_onc_connection_drop(struct whittle_onc_connection *connection)
{
    if (__atomic_sub_fetch(&connection->refs, 1, __ATOMIC_ACQ_REL) != 0)
        return;
    while (connection->queue != NULL) {
        struct whittle_onc_buffer *const buffer = connection->queue;
        connection->queue = buffer->next;
        whittle_onc_buffer_give(&connection->server->pool, buffer);
    }
    whittle_onc_reader_close(&connection->reader);
    __atomic_fetch_sub(&connection->server->memory, connection->charged + connection->waiting, __ATOMIC_RELAXED);
    close(connection->fd);
    pthread_mutex_lock(&connection->server->gate);
    connection->next = connection->server->unused;
    connection->server->unused = connection;
    pthread_mutex_unlock(&connection->server->gate);
}

/* One that was used before, or a new one. Closed ones are not freed: an event may be on its way to a thread. */
static struct whittle_onc_connection *whittle_onc_connection_new(struct whittle_onc_server *server)
{
    pthread_mutex_lock(&server->gate);
    struct whittle_onc_connection *connection = server->unused;
    if (connection != NULL)
        server->unused = connection->next;
    pthread_mutex_unlock(&server->gate);
    if (connection == NULL) {
        connection = (struct whittle_onc_connection *)calloc(1, sizeof *connection);
        if (connection != NULL)
            pthread_mutex_init(&connection->lock, NULL);
        return connection;
    }
    pthread_mutex_lock(&connection->lock);
    memset(connection, 0, offsetof(struct whittle_onc_connection, lock));
    pthread_mutex_unlock(&connection->lock);
    return connection;
}

void whittle_onc_connections_free(struct whittle_onc_server *server)
{
    while (server->unused != NULL) {
        struct whittle_onc_connection *const connection = server->unused;
        server->unused = connection->next;
        pthread_mutex_destroy(&connection->lock);
        free(connection);
    }
}

static void whittle_onc_connection_name(struct whittle_onc_connection *connection, const struct whittle_onc_name *peer)
{
    struct whittle_onc_name *const own = &connection->peer;
    own->size = peer != NULL ? peer->size : sizeof own->storage;
    if (peer != NULL)
        memcpy(&own->storage, &peer->storage, peer->size);
    else if (getpeername(connection->fd, (struct sockaddr *)&own->storage, &own->size) != 0)
        own->size = 0;
}

void whittle_onc_connection_open(struct whittle_onc_server *server, int fd, const struct whittle_onc_name *peer)
{
    const int yes = 1;
    const struct timeval moment = {0, 1000};
    struct whittle_onc_connection *const connection = whittle_onc_connection_new(server);
    if (connection == NULL) {
        close(fd);
        return;
    }
    connection->local = setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes) != 0;
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &moment, sizeof moment);
    connection->watched.ready = whittle_onc_connection_ready;
    connection->server = server;
    connection->fd = fd;
    connection->refs = 1;
    whittle_onc_connection_name(connection, peer);
    connection->interest = EPOLLIN;
    whittle_onc_reader_open(&connection->reader, &server->pool, WHITTLE_ONC_CALL_LEAD, server->options.longest);
    whittle_onc_hold(server, &server->gate);
    const bool full = server->connection_count >= server->options.connections && !whittle_onc_evict(server);
    if (!full) {
        whittle_onc_list_add(connection);
        server->connection_count++;
    }
    whittle_onc_let_go(server, &server->gate);
    if (full)
        whittle_onc_connection_drop(connection);
    else if (!whittle_onc_watch(server, fd, &connection->watched, whittle_onc_connection_events(connection)))
        whittle_onc_connection_close(connection);
}

/* Out of the list, once. Its last holder closes the socket. */
WHITTLE_ONC_RARE void whittle_onc_connection_close(struct whittle_onc_connection *connection)
{
    struct whittle_onc_server *const server = connection->server;
    whittle_onc_hold(server, &server->gate);
    const bool gone = connection->gone;
    if (!gone) {
        whittle_onc_list_remove(connection);
        server->connection_count--;
    }
    whittle_onc_hold(server, &connection->lock);
    connection->gone = true;
    whittle_onc_let_go(server, &connection->lock);
    whittle_onc_let_go(server, &server->gate);
    if (gone)
        return;
    epoll_ctl(server->epoll, EPOLL_CTL_DEL, connection->fd, NULL);
    shutdown(connection->fd, SHUT_WR);
    whittle_onc_connection_drop(connection);
}

/* It has moved too little for too long; `away`: or nobody looked. */
static bool whittle_onc_is_slow(struct whittle_onc_meter *meter, uint64_t now, uint64_t patience, bool away)
{
    const uint64_t since = __atomic_load_n(&meter->since, __ATOMIC_RELAXED);
    if (since == 0 || (!away && now < since + patience))
        return false;
    if (!away && __atomic_load_n(&meter->moved, __ATOMIC_RELAXED) < (now - since) / WHITTLE_ONC_MILLISECOND * WHITTLE_ONC_LEAST_RATE / 1000)
        return true;
    __atomic_store_n(&meter->moved, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&meter->since, now, __ATOMIC_RELAXED);
    return false;
}

void whittle_onc_sweep(struct whittle_onc_server *server, struct whittle_onc_watched *watched, uint32_t events)
{
    uint64_t ticks;
    const uint64_t now = whittle_onc_now(), patience = server->options.patience * WHITTLE_ONC_MILLISECOND;
    (void)watched;
    (void)events;
    if (read(server->timer, &ticks, sizeof ticks) < 0)
        return;
    /* Where a procedure took long, or the program's own loop looks seldom, what peers sent meanwhile lies unread: their time begins anew. */
    const bool away = ticks > 1;
    whittle_onc_hold(server, &server->gate);
    for (int which = 0; which < 2; which++)
        for (struct whittle_onc_connection *each = which == 0 ? server->strangers.first : server->known.first; each != NULL; each = each->next) {
            whittle_onc_await_less(each);
            if (whittle_onc_is_slow(&each->in, now, patience, away) || whittle_onc_is_slow(&each->out, now, patience, away))
                shutdown(each->fd, SHUT_RDWR);
        }
    whittle_onc_let_go(server, &server->gate);
}
