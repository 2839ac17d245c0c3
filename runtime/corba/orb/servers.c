/* SPDX-License-Identifier: MIT-0 */
/* The connections of a server, all together: taken in up to a number, looked after, closed in order. */
#include "parts.h"
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

/* Says goodbye; whatever the peer then sends was not looked at, so that it may send it elsewhere. */
static void whittle_server_say(struct whittle_connection *connection, enum whittle_message_type type)
{
    char message[WHITTLE_HEADER];
    whittle_put_header(message, type == WHITTLE_CLOSE_CONNECTION ? 0 : 2, type);
    pthread_mutex_lock(&connection->writing);
    if (connection->queue == NULL)
        send(connection->fd, message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT);
    pthread_mutex_unlock(&connection->writing);
}

static uint64_t whittle_seen(const struct whittle_connection *connection)
{
    return __atomic_load_n(&connection->seen, __ATOMIC_RELAXED);
}

/* The one that has been silent longest and waits for nothing. With the gate held. */
static struct whittle_connection *whittle_server_silent(CORBA_ORB orb)
{
    struct whittle_connection *found = NULL;
    for (struct whittle_connection *each = orb->servers; each != NULL; each = each->next)
        if (each->queued == 0 && each->serving == 0 && !each->ended && (found == NULL || whittle_seen(each) < whittle_seen(found)))
            found = each;
    return found;
}

static bool whittle_server_evict(CORBA_ORB orb)
{
    struct whittle_connection *const silent = whittle_server_silent(orb);
    if (silent == NULL)
        return false;
    whittle_server_say(silent, WHITTLE_CLOSE_CONNECTION);
    silent->ended = true;
    shutdown(silent->fd, SHUT_RDWR);    /* whoever handles it sees its end */
    return true;
}

static struct whittle_connection *whittle_server_new(CORBA_ORB orb, int fd)
{
    struct whittle_connection *const connection = (struct whittle_connection *)calloc(1, sizeof *connection);
    if (connection == NULL)
        return NULL;
    *connection = (struct whittle_connection){.orb = orb, .refs = 1, .fd = fd, .server = true};
    connection->queue_end = &connection->queue;
    connection->seen = __atomic_add_fetch(&orb->sequence, 1, __ATOMIC_RELAXED);
    connection->interest = EPOLLIN;
    pthread_mutex_init(&connection->lock, NULL);
    pthread_mutex_init(&connection->writing, NULL);
    whittle_reader_open(&connection->reader, &orb->pool, orb->options.longest);
    return connection;
}

/* A place in the ORB's slots, which grow to as many as it takes. With the gate held. */
static bool whittle_server_seat(CORBA_ORB orb, struct whittle_connection *connection)
{
    uint32_t slot = 0;
    while (slot < orb->slot_count && orb->slots[slot].connection != NULL)
        slot++;
    if (slot == orb->slot_count) {
        const uint32_t count = orb->slot_count == 0 ? 16 : 2 * orb->slot_count;
        struct whittle_slot *const more = (struct whittle_slot *)realloc(orb->slots, count * sizeof *more);
        if (more == NULL)
            return false;
        memset(more + orb->slot_count, 0, (count - orb->slot_count) * sizeof *more);
        orb->slots = more;
        orb->slot_count = count;
    }
    orb->slots[slot].connection = connection;
    connection->watched = (uint64_t)++orb->slots[slot].holder << 32 | slot;
    connection->next = orb->servers;
    if (connection->next != NULL)
        connection->next->previous = connection;
    orb->servers = connection;
    orb->server_count++;
    return true;
}

struct whittle_connection *whittle_server_of(CORBA_ORB orb, uint64_t watched)
{
    const uint32_t slot = (uint32_t)watched;
    struct whittle_connection *connection = NULL;
    pthread_mutex_lock(&orb->gate);
    if (slot < orb->slot_count && orb->slots[slot].holder == watched >> 32)
        connection = orb->slots[slot].connection;
    if (connection != NULL)
        whittle_connection_keep(connection);
    pthread_mutex_unlock(&orb->gate);
    return connection;
}

void whittle_server_accept(CORBA_ORB orb, int fd)
{
    const int yes = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    struct whittle_connection *const connection = whittle_server_new(orb, fd);
    if (connection == NULL) {
        close(fd);
        return;
    }
    pthread_mutex_lock(&orb->gate);
    const bool full = orb->server_count >= orb->options.connections && !whittle_server_evict(orb);
    const bool seated = !full && whittle_server_seat(orb, connection);
    pthread_mutex_unlock(&orb->gate);
    if (!seated)
        whittle_connection_drop(connection);
    else if (!whittle_loop_add(orb, fd, connection->watched, EPOLLIN | (orb->shared ? (uint32_t)EPOLLONESHOT : 0)))
        whittle_server_close(connection);
}

/* Out of the list, once. Its last holder closes the socket. */
void whittle_server_close(struct whittle_connection *connection)
{
    CORBA_ORB const orb = connection->orb;
    pthread_mutex_lock(&orb->gate);
    const bool gone = connection->gone;
    connection->gone = connection->ended = true;
    if (!gone) {
        if (connection->next != NULL)
            connection->next->previous = connection->previous;
        if (connection->previous != NULL)
            connection->previous->next = connection->next;
        else
            orb->servers = connection->next;
        orb->server_count--;
        orb->slots[(uint32_t)connection->watched].connection = NULL;
    }
    pthread_mutex_unlock(&orb->gate);
    if (gone)
        return;
    epoll_ctl(orb->epoll, EPOLL_CTL_DEL, connection->fd, NULL);
    shutdown(connection->fd, SHUT_WR);
    whittle_connection_drop(connection);
}

/* Half a message, or replies that nobody takes, for too long. */
void whittle_server_sweep(CORBA_ORB orb)
{
    uint64_t ticks;
    const uint64_t now = whittle_now(), patience = (uint64_t)orb->options.patience * 1000000u;
    if (read(orb->timer, &ticks, sizeof ticks) < 0)
        return;
    pthread_mutex_lock(&orb->gate);
    for (struct whittle_connection *each = orb->servers; each != NULL; each = each->next) {
        const bool waits = __atomic_load_n(&each->amid, __ATOMIC_RELAXED) || each->queued > 0;
        if (!waits || __atomic_exchange_n(&each->moved, false, __ATOMIC_RELAXED))
            each->stalled_since = 0;
        else if (each->stalled_since == 0)
            each->stalled_since = now;
        else if (now - each->stalled_since >= patience / 2)
            shutdown(each->fd, SHUT_RDWR);
    }
    pthread_mutex_unlock(&orb->gate);
}

void whittle_server_end(CORBA_ORB orb)
{
    whittle_listen_end(orb);
    for (;;) {
        pthread_mutex_lock(&orb->gate);
        struct whittle_connection *const connection = orb->servers;
        if (connection != NULL)
            whittle_connection_keep(connection);
        pthread_mutex_unlock(&orb->gate);
        if (connection == NULL)
            return;
        whittle_server_say(connection, WHITTLE_CLOSE_CONNECTION);
        whittle_server_close(connection);
        whittle_connection_drop(connection);
    }
}
