/* SPDX-License-Identifier: MIT-0 */
/*
 * The connections of a server, all together: in a list of those that have sent a request, or in one of those that have not, longest
 * silent first. Where there are too many, one goes that never sent a request, or else one that has been silent longest. Where all are
 * busy, new ones wait until one is not.
 */
#include "server.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WHITTLE_NET_IDLE_AFTER (100 * WHITTLE_NET_MILLISECOND)  /* who was heard of since is not closed to make room */

static struct whittle_net_connections *whittle_net_list_of(struct whittle_net_connection *connection)
{
    return connection->active ? &connection->server->active : &connection->server->fresh;
}

static void whittle_net_list_add(struct whittle_net_connection *connection)
{
    struct whittle_net_connections *const list = whittle_net_list_of(connection);
    connection->next = NULL;
    connection->previous = list->last;
    if (list->last != NULL)
        list->last->next = connection;
    else
        list->first = connection;
    list->last = connection;
    list->count++;
}

static void whittle_net_list_remove(struct whittle_net_connection *connection)
{
    struct whittle_net_connections *const list = whittle_net_list_of(connection);
    if (connection->previous != NULL)
        connection->previous->next = connection->next;
    else
        list->first = connection->next;
    if (connection->next != NULL)
        connection->next->previous = connection->previous;
    else
        list->last = connection->previous;
    list->count--;
}

void whittle_net_connection_touch(struct whittle_net_connection *connection, uint64_t now)
{
    struct whittle_net_server *const server = connection->server;
    whittle_net_lock(server, &server->gate);
    __atomic_store_n(&connection->active_at, now, __ATOMIC_RELAXED);
    if (!connection->closed && (!connection->active || connection->next != NULL)) {
        whittle_net_list_remove(connection);
        connection->active = true;
        whittle_net_list_add(connection);
    }
    whittle_net_unlock(server, &server->gate);
}

void whittle_net_connection_served(struct whittle_net_connection *connection)
{
    const uint64_t now = whittle_net_about_now();
    if (now >= __atomic_load_n(&connection->active_at, __ATOMIC_RELAXED) + WHITTLE_NET_IDLE_AFTER / 4)
        whittle_net_connection_touch(connection, now);
}

void whittle_net_connection_leaves(struct whittle_net_connection *connection)
{
    if (!connection->leaving)
        connection->server->leaving_count++;
    __atomic_store_n(&connection->leaving, true, __ATOMIC_RELAXED);
}

static bool whittle_net_has_unread(struct whittle_net_connection *connection)
{
    return connection->stream.ops->waiting(&connection->stream) > 0;
}

/* Nothing is under way for it; of fresh ones half a request is nothing. `leaves`: then it makes room. With the gate held. */
static bool whittle_net_is_idle(struct whittle_net_connection *connection, bool leaves)
{
    whittle_net_lock(connection->server, &connection->lock);
    const bool waits = connection->paused || __atomic_load_n(&connection->retried, __ATOMIC_RELAXED);
    const bool busy = waits || connection->queued != 0 || connection->serving != 0 || connection->handled
        || (connection->active && whittle_net_meter_runs(&connection->in));
    const bool idle = !connection->leaving && !connection->ended && !busy && !whittle_net_has_unread(connection);
    if (idle && leaves)     /* before another thread begins to read */
        whittle_net_connection_leaves(connection);
    whittle_net_unlock(connection->server, &connection->lock);
    return idle;
}

/* With the gate held. NULL: none of them may go. Those that are busy go to the end of the list, so that all are looked at in turn. */
static struct whittle_net_connection *whittle_net_idlest(struct whittle_net_connections *list, uint64_t silent, bool leaves)
{
    enum { LOOKS = 32 };
    const uint64_t now = whittle_net_about_now();
    for (int looks = 0; looks < LOOKS; looks++) {
        struct whittle_net_connection *const each = list->first;
        if (each == NULL || now < each->active_at + silent)
            break;
        if (whittle_net_is_idle(each, leaves))
            return each;
        whittle_net_list_remove(each);
        __atomic_store_n(&each->active_at, now, __ATOMIC_RELAXED);
        whittle_net_list_add(each);
    }
    return NULL;
}

/* Who goes first, if one has to. Where many have come and sent nothing, those get no time for it. */
static struct whittle_net_connection *whittle_net_next_to_go(struct whittle_net_server *server, bool leaves)
{
    const bool many = server->fresh.count > server->options.connections / 2;
    struct whittle_net_connection *const found = whittle_net_idlest(&server->fresh, many ? 0 : WHITTLE_NET_IDLE_AFTER, leaves);
    return found != NULL ? found : whittle_net_idlest(&server->active, WHITTLE_NET_IDLE_AFTER, leaves);
}

/*
 * Connections that leave, or have left while requests of theirs wait, still have descriptors: no more of those than one event of a
 * listener accepts, and one for each thread.
 */
static bool whittle_net_has_descriptors(const struct whittle_net_server *server)
{
    const uint64_t most = (uint64_t)server->options.connections + WHITTLE_NET_ACCEPTS + server->options.workers;
    return __atomic_load_n(&server->open_count, __ATOMIC_RELAXED) < most;
}

bool whittle_net_is_crowded(struct whittle_net_server *server)
{
    whittle_net_lock(server, &server->gate);
    const bool full = server->connection_count - server->leaving_count >= server->options.connections;
    const bool crowded = !whittle_net_has_descriptors(server) || (full && whittle_net_next_to_go(server, false) == NULL);
    whittle_net_unlock(server, &server->gate);
    return crowded;
}

/* It is closed by whoever handles it, which sees its end. With the gate held. */
static void whittle_net_hang_up_on(struct whittle_net_connection *found)
{
    struct whittle_net_server *const server = found->server;
    whittle_net_increment(server, &server->usage.evicted);
    if (server->protocol->goodbye != NULL)
        server->protocol->goodbye(found);
    shutdown(found->source.fd, SHUT_RDWR);
    whittle_net_list_remove(found);
    whittle_net_list_add(found);
}

/* Makes room for one more: one that is idle is closed. With the gate held; false: none is. */
static bool whittle_net_evict(struct whittle_net_server *server)
{
    struct whittle_net_connection *const found = whittle_net_next_to_go(server, true);
    if (found != NULL)
        whittle_net_hang_up_on(found);
    return found != NULL;
}

bool whittle_net_evict_memory(struct whittle_net_server *server)
{
    const uint64_t now = whittle_net_about_now();
    bool found = false;
    whittle_net_lock(server, &server->gate);
    for (struct whittle_net_connection *each = server->active.first; each != NULL && now >= each->active_at + WHITTLE_NET_IDLE_AFTER; each = each->next)
        if (each->stream.memory != NULL && whittle_net_is_idle(each, true)) {
            whittle_net_hang_up_on(each);
            found = true;
            break;
        }
    whittle_net_unlock(server, &server->gate);
    return found;
}

/* The last holder has dropped it. */
static void whittle_net_connection_free(struct whittle_net_source *source)
{
    struct whittle_net_connection *const connection = (struct whittle_net_connection *)(void *)source;
    struct whittle_net_server *const server = connection->server;
    while (connection->queue != NULL) {
        struct whittle_net_buffer *const buffer = connection->queue;
        connection->queue = buffer->next;
        whittle_net_buffer_give(&server->pool, buffer);
    }
    if (server->protocol->forget != NULL)
        server->protocol->forget(&connection->reader);
    whittle_net_reader_close(&connection->reader);
    /* Who does not read is not to hold the kernel's memory, either. */
    const struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    if (connection->leaving || connection->broken)
        setsockopt(source->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    connection->stream.ops->end(&connection->stream);
    if (source->fd >= 0) {
        close(source->fd);
        __atomic_fetch_sub(&server->open_count, 1, __ATOMIC_RELAXED);
    }
    pthread_mutex_destroy(&connection->lock);
    free(connection);
    whittle_net_budget_give(&server->pool.budget, sizeof *connection);
}

static void whittle_net_connection_name(struct whittle_net_connection *connection, const struct whittle_net_name *peer)
{
    struct whittle_net_name *const own = &connection->peer;
    own->size = peer != NULL ? peer->size : sizeof own->storage;
    if (peer != NULL)
        memcpy(&own->storage, &peer->storage, peer->size);
    else if (getpeername(connection->source.fd, (struct sockaddr *)&own->storage, &own->size) != 0)
        own->size = 0;
}

struct whittle_net_connection *whittle_net_connection_new(struct whittle_net_server *server, const struct whittle_net_stream_ops *ops, int fd,
                                                          const struct whittle_net_name *peer)
{
    whittle_net_budget_charge(&server->pool.budget, sizeof(struct whittle_net_connection));
    struct whittle_net_connection *const connection = (struct whittle_net_connection *)calloc(1, sizeof *connection);
    if (connection == NULL) {
        whittle_net_budget_give(&server->pool.budget, sizeof *connection);
        return NULL;
    }
    connection->source = (struct whittle_net_source){.release = whittle_net_connection_free, .refs = 1, .fd = fd};
    connection->stream = (struct whittle_net_stream){.ops = ops, .fd = fd, .pool = &server->pool};
    connection->server = server;
    connection->active_at = whittle_net_about_now();
    pthread_mutex_init(&connection->lock, NULL);
    whittle_net_connection_name(connection, peer);
    whittle_net_reader_open(&connection->reader, &server->pool, server->protocol->lead, server->protocol->keep, server->options.longest);
    whittle_net_lock(server, &server->gate);
    const uint32_t most = server->options.connections, count = server->connection_count - server->leaving_count;
    /* Other threads may have taken the place since it was looked for: who has been accepted is not to lose for that. */
    const bool full = count >= most && !whittle_net_evict(server) && count - most > server->options.workers;
    if (!full) {
        whittle_net_list_add(connection);
        __atomic_store_n(&server->connection_count, server->connection_count + 1, __ATOMIC_RELAXED);
        __atomic_fetch_add(&server->open_count, 1, __ATOMIC_RELAXED);
    }
    whittle_net_unlock(server, &server->gate);
    if (!full)
        return connection;
    connection->source.fd = -1;     /* the caller's */
    whittle_net_source_drop(&connection->source);
    return NULL;
}

WHITTLE_NET_COLD void whittle_net_connection_close(struct whittle_net_connection *connection)
{
    struct whittle_net_server *const server = connection->server;
    whittle_net_lock(server, &server->gate);
    const bool closed = connection->closed;
    if (!closed) {
        whittle_net_list_remove(connection);
        __atomic_store_n(&server->connection_count, server->connection_count - 1, __ATOMIC_RELAXED);
        server->leaving_count -= connection->leaving;
        whittle_net_poll_memory_end(connection);
    }
    whittle_net_lock(server, &connection->lock);
    connection->ended = true;
    __atomic_store_n(&connection->closed, true, __ATOMIC_RELAXED);
    whittle_net_unlock(server, &connection->lock);
    whittle_net_unlock(server, &server->gate);
    if (closed)
        return;
    whittle_net_unwatch(&server->poller, &connection->source);
    shutdown(connection->source.fd, SHUT_WR);
    whittle_net_source_drop(&connection->source);
}

void whittle_net_connection_rest(struct whittle_net_connection *connection)
{
    struct whittle_net_server *const server = connection->server;
    whittle_net_lock(server, &connection->lock);
    if (!connection->handled && connection->serving == 0 && !connection->paused)
        whittle_net_reader_idle(&connection->reader);
    whittle_net_unlock(server, &connection->lock);
}

struct whittle_net_connection *whittle_net_connection_any(const struct whittle_net_server *server)
{
    return server->active.first != NULL ? server->active.first : server->fresh.first;
}
