/* SPDX-License-Identifier: MIT-0 */
/*
 * One connection of a server, as epoll reports it. Without workers each change is reported once; with workers to one thread,
 * which asks it to go on when it has read. A peer that does not read its replies is not read from, either.
 */
#include "server.h"
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

static struct whittle_net_connection *whittle_net_connection_of(struct whittle_net_source *source)
{
    return (struct whittle_net_connection *)(void *)source;
}

/* A Unix socket reports room whenever its peer has read something: it is asked only where something waits. */
uint32_t whittle_net_connection_events(struct whittle_net_connection *connection)
{
    if (connection->server->shared)
        return (uint32_t)EPOLLIN | (uint32_t)EPOLLONESHOT;
    connection->awaits_room = !connection->local || connection->queue != NULL;
    return (uint32_t)EPOLLIN | (uint32_t)EPOLLRDHUP | (uint32_t)EPOLLET | (connection->awaits_room ? (uint32_t)EPOLLOUT : 0);
}

/* Nothing is left to do for it. With its lock held. */
static bool whittle_net_connection_is_over(const struct whittle_net_connection *connection)
{
    return connection->broken || (connection->ended && connection->serving == 0 && connection->queue == NULL);
}

/*
 * With its lock held: what epoll is to report of it, where several threads listen. One that is to be tried again is read from then: what
 * has come would wake threads without end meanwhile, and the requests that hold the memory would not get one. false: epoll will not.
 */
static bool whittle_net_rearm(struct whittle_net_connection *connection)
{
    const bool reads = !connection->full && !connection->ended && connection->serving < WHITTLE_NET_SERVING
        && !__atomic_load_n(&connection->retried, __ATOMIC_ACQUIRE);
    /* What was read already may be served now: epoll reports at once that there is room to write. */
    const bool writes = connection->queue != NULL || (reads && connection->paused);
    const uint32_t wanted = (reads ? (uint32_t)EPOLLIN : 0) | (writes ? (uint32_t)EPOLLOUT : 0);
    if (connection->closed || connection->handled || wanted == connection->armed)
        return true;
    const uint32_t watched_for = connection->stream.ops->watch(&connection->stream, wanted);
    const bool watched = whittle_net_rewatch(&connection->server->poller, &connection->source, watched_for | (uint32_t)EPOLLONESHOT);
    connection->armed = watched ? wanted : 0;
    return watched;
}

void whittle_net_connection_leave(struct whittle_net_connection *connection, bool served)
{
    struct whittle_net_server *const server = connection->server;
    if (served)
        whittle_net_connection_served(connection);
    whittle_net_lock(server, &connection->lock);
    if (served)
        connection->serving--;
    else
        connection->handled = false;
    bool over = !connection->handled && whittle_net_connection_is_over(connection);
    /* Where requests are still under way, whoever leaves last tries again. */
    if (!over && server->shared && !whittle_net_rearm(connection))
        over = connection->serving == 0;
    whittle_net_unlock(server, &connection->lock);
    if (over)
        whittle_net_connection_close(connection);
    whittle_net_shed(server);
}

void whittle_net_connection_serve(struct whittle_net_connection *connection, struct whittle_net_message *message)
{
    struct whittle_net_server *const server = connection->server;
    if (__atomic_load_n(&connection->broken, __ATOMIC_RELAXED) || __atomic_load_n(&connection->closed, __ATOMIC_RELAXED)) {
        whittle_net_increment(server, &server->usage.requests_dropped);
        whittle_net_buffer_give(&server->pool, message->buffer);
        return;
    }
    whittle_net_increment(server, &server->usage.requests);
    if (!server->protocol->serve(server, connection, message))
        whittle_net_protocol_error(connection);
}

static void whittle_net_count(struct whittle_net_connection *connection, uint32_t change)
{
    whittle_net_lock(connection->server, &connection->lock);
    connection->serving += change;
    whittle_net_unlock(connection->server, &connection->lock);
}

/* One after the other. */
static void whittle_net_serve_in_order(struct whittle_net_connection *connection)
{
    struct whittle_net_message message;
    size_t served = 0;
    uint64_t before = whittle_net_about_now();
    for (; whittle_net_next_request(connection, &message); served++) {
        if (served == 0)    /* who is served is not hung up on to make room */
            whittle_net_connection_touch(connection, before);
        whittle_net_count(connection, 1);
        whittle_net_connection_serve(connection, &message);
        whittle_net_count(connection, ~0u);
        const uint64_t now = whittle_net_about_now();
        if (now == before)
            continue;
        before = now;
        whittle_net_connection_served(connection);
        /* What took long is replied to now; and whether anybody is still there is known before the next one. */
        if (!whittle_net_flush(connection))
            break;
    }
    if (!connection->server->shared)
        connection->server->served += (uint32_t)served;
    whittle_net_measure(connection, served);
}

/* The first here, and the others by whoever is free. The connection is left to others before; false: there was none, and it was not. */
static bool whittle_net_serve_overtaking(struct whittle_net_connection *connection)
{
    struct whittle_net_message message, first = {.buffer = NULL};
    size_t count = 0;
    for (; whittle_net_next_request(connection, &message); count++) {
        whittle_net_count(connection, 1);
        if (count == 0) {
            first = message;
        } else if (!whittle_net_job_add(connection, &message)) {
            whittle_net_increment(connection->server, &connection->server->usage.requests_refused);
            connection->server->protocol->refuse(connection->server, connection, &message);
            whittle_net_count(connection, ~0u);
        }
    }
    whittle_net_measure(connection, count);
    if (count == 0)
        return false;
    whittle_net_connection_touch(connection, whittle_net_about_now());
    whittle_net_connection_leave(connection, false);
    whittle_net_connection_serve(connection, &first);
    whittle_net_connection_leave(connection, true);
    return true;
}

/* true: it has been left to others. */
static bool whittle_net_serve_messages(struct whittle_net_connection *connection)
{
    if (connection->server->overtaking)
        return whittle_net_serve_overtaking(connection);
    whittle_net_serve_in_order(connection);
    return false;
}

/*
 * What waits is sent, and what was read already is served while the peer takes the replies. false: broken. Not cold: of many
 * requests that come at once it serves most, and gcc takes the code around a call of a cold function for cold, too.
 */
WHITTLE_NET_NOINLINE static bool whittle_net_catch_up(struct whittle_net_connection *connection)
{
    bool good = connection->queue == NULL || whittle_net_flush(connection), lacks_memory = false;
    while (good && !lacks_memory && connection->paused && !connection->full && !connection->ended) {
        whittle_net_serve_in_order(connection);
        lacks_memory = connection->memory_retries != 0;
        good = connection->queue == NULL || whittle_net_flush(connection);
    }
    return good;
}

/* This thread is the only one: mostly nothing waits. */
static bool whittle_net_go_on(struct whittle_net_connection *connection)
{
    return (connection->queue == NULL && !connection->paused) || whittle_net_catch_up(connection);
}

/* Reads once, and serves what is there. */
static enum whittle_net_came whittle_net_read_and_serve(struct whittle_net_connection *connection, int flags)
{
    const enum whittle_net_came came = whittle_net_read(connection, flags);
    if (came == WHITTLE_NET_CAME_SOME || came == WHITTLE_NET_CAME_MORE)
        whittle_net_serve_in_order(connection);
    return came;
}

/* To make room, or since it was too slow: whatever is left of it is given up. */
static bool whittle_net_was_hung_up_on(struct whittle_net_connection *connection)
{
    const bool leaving = __atomic_load_n(&connection->leaving, __ATOMIC_RELAXED);
    if (leaving)
        whittle_net_lose(connection);
    return leaving;
}

/* This thread is the only one. */
WHITTLE_NET_HOT WHITTLE_NET_FLATTEN static void whittle_net_ready_alone(struct whittle_net_connection *connection, uint32_t reported)
{
    enum { READS = 16 };    /* then it is others' turn */
    const uint32_t events = connection->stream.ops->events(&connection->stream, reported);
    const bool was_full = connection->full, hangs_up = (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0;
    bool good = !whittle_net_was_hung_up_on(connection) && whittle_net_go_on(connection);
    bool more = (events & EPOLLIN) != 0 || hangs_up || (was_full && !connection->full);
    for (int reads = 0; good && more && reads < READS && !connection->ended && !connection->full; reads++) {
        const enum whittle_net_came came = whittle_net_read_and_serve(connection, MSG_DONTWAIT);
        more = came == WHITTLE_NET_CAME_MORE || (came == WHITTLE_NET_CAME_SOME && hangs_up);
        good = whittle_net_go_on(connection);
        if (connection->memory_retries != 0) {  /* it is tried again */
            more = false;
            break;
        }
    }
    if (connection->closed)     /* by a servant that served others meanwhile */
        return;
    const bool rewatch = (more && !connection->ended && !connection->full) || (connection->queue != NULL && !connection->awaits_room)
        || (connection->queue == NULL && connection->awaits_room && connection->local);
    if (!good || whittle_net_connection_is_over(connection)
        || (rewatch && !whittle_net_rewatch(&connection->server->poller, &connection->source, whittle_net_connection_events(connection))))
        whittle_net_connection_close(connection);
    whittle_net_shed(connection->server);
}

/* What follows soon without the system is served by the thread that is awake; for a while, since others may wait for one. */
static void whittle_net_linger(struct whittle_net_connection *connection)
{
    struct whittle_net_server *const server = connection->server;
    struct whittle_net_stream *const stream = &connection->stream;
    if (stream->ops->look == NULL || server->overtaking || server->spin_time == 0)
        return;
    const uint64_t begun = whittle_net_now();
    uint64_t now = begun;
    while (now < begun + WHITTLE_NET_MILLISECOND && whittle_net_runs(server) && stream->ops->wait(stream, POLLIN, now + server->spin_time) > 0) {
        pthread_mutex_lock(&connection->lock);
        const bool reads = !connection->full && !connection->ended && !connection->paused && connection->serving == 0;
        pthread_mutex_unlock(&connection->lock);
        const enum whittle_net_came came = reads ? whittle_net_read(connection, MSG_DONTWAIT) : WHITTLE_NET_CAME_NOTHING;
        if (came != WHITTLE_NET_CAME_SOME && came != WHITTLE_NET_CAME_MORE)
            return;
        whittle_net_serve_in_order(connection);
        if (!whittle_net_flush(connection) || connection->memory_retries != 0)
            return;
        now = whittle_net_now();
    }
}

/* Others may be serving requests of it. */
static void whittle_net_ready_shared(struct whittle_net_connection *connection, uint32_t reported)
{
    pthread_mutex_lock(&connection->lock);
    const bool handled = connection->handled || connection->closed, paused = connection->paused;
    connection->armed = 0;      /* epoll has reported once */
    if (!handled)
        connection->handled = true;
    pthread_mutex_unlock(&connection->lock);
    if (handled)    /* whoever does sees to what this was about */
        return;
    const uint32_t events = connection->stream.ops->events(&connection->stream, reported);
    const bool hangs_up = (events & (EPOLLHUP | EPOLLERR)) != 0;
    const bool good = !whittle_net_was_hung_up_on(connection) && ((events & (EPOLLOUT | EPOLLERR)) == 0 || whittle_net_flush(connection));
    if (good && paused && whittle_net_serve_messages(connection))
        return;
    pthread_mutex_lock(&connection->lock);
    const bool reads = good && !connection->full && !connection->paused && ((events & EPOLLIN) != 0 || hangs_up);
    pthread_mutex_unlock(&connection->lock);
    const enum whittle_net_came came = reads ? whittle_net_read(connection, MSG_DONTWAIT) : WHITTLE_NET_CAME_NOTHING;
    const bool some = came == WHITTLE_NET_CAME_SOME || came == WHITTLE_NET_CAME_MORE;
    if (some && whittle_net_serve_messages(connection))
        return;
    if (whittle_net_flush(connection) && some)
        whittle_net_linger(connection);
    whittle_net_connection_leave(connection, false);
}

WHITTLE_NET_HOT static void whittle_net_connection_ready(struct whittle_net_source *source, uint32_t events)
{
    struct whittle_net_connection *const connection = whittle_net_connection_of(source);
    if (connection->server->shared)
        whittle_net_ready_shared(connection, events);
    else
        whittle_net_ready_alone(connection, events);
}

void whittle_net_connection_open(struct whittle_net_server *server, const struct whittle_net_stream_ops *ops, int fd, const struct whittle_net_name *peer)
{
    const int yes = 1;
    const struct timeval moment = {0, 1000};
    struct whittle_net_connection *const connection = whittle_net_connection_new(server, ops, fd, peer);
    if (connection == NULL) {
        whittle_net_increment(server, &server->usage.refused);
        close(fd);
        return;
    }
    whittle_net_increment(server, &server->usage.accepted);
    connection->local = setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes) != 0;
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &moment, sizeof moment);
    connection->source.ready = whittle_net_connection_ready;
    connection->armed = EPOLLIN;
    whittle_net_source_keep(&connection->source);   /* another thread may close it at once */
    if (!server->shared)
        whittle_net_poll_memory_begin(connection);
    if (!whittle_net_watch(&server->poller, &connection->source, whittle_net_connection_events(connection)))
        whittle_net_connection_close(connection);
    whittle_net_source_drop(&connection->source);
}

WHITTLE_NET_FLATTEN bool whittle_net_connection_wait(struct whittle_net_connection *connection)
{
    if (connection->ended || connection->full || connection->queue != NULL)
        return false;
    const enum whittle_net_came came = whittle_net_read_and_serve(connection, 0);
    const bool good = whittle_net_go_on(connection);
    whittle_net_shed(connection->server);
    if (good && !whittle_net_connection_is_over(connection))
        return (came == WHITTLE_NET_CAME_SOME || came == WHITTLE_NET_CAME_MORE) && !connection->ended;
    whittle_net_connection_close(connection);
    return false;
}

void whittle_net_connection_finish(struct whittle_net_connection *connection)
{
    enum { READS = 16 };
    const bool drains = connection->server->protocol->goodbye == NULL;
    if (drains && !connection->ended && !connection->full)      /* what was read before it was stopped */
        whittle_net_serve_in_order(connection);
    for (int reads = 0; drains && reads < READS && !connection->ended && !connection->full; reads++)
        if (whittle_net_read_and_serve(connection, MSG_DONTWAIT) == WHITTLE_NET_CAME_NOTHING)
            break;
    connection->ended = true;
    if (!whittle_net_flush(connection) || connection->queue == NULL)
        whittle_net_connection_close(connection);
}

void whittle_net_connection_hold(struct whittle_net_connection *connection)
{
    whittle_net_count(connection, 1);
}

/* There was no memory for it a moment ago. Whoever handles it now sees to it when it leaves. */
static void whittle_net_retry(struct whittle_net_connection *connection)
{
    struct whittle_net_server *const server = connection->server;
    whittle_net_lock(server, &connection->lock);
    const bool handled = connection->handled, over = connection->closed || server->ends_at != 0;
    __atomic_store_n(&connection->retried, false, __ATOMIC_RELEASE);
    whittle_net_unlock(server, &connection->lock);
    if (over || handled)
        return;
    connection->source.ready(&connection->source, (uint32_t)EPOLLIN | (uint32_t)EPOLLOUT);
}

static void whittle_net_job_serve(struct whittle_net_server *server, struct whittle_net_job *job)
{
    struct whittle_net_connection *const connection = job->connection;
    if (job->message.buffer == NULL) {
        whittle_net_retry(connection);
        whittle_net_job_free(server, job);
        return;
    }
    whittle_net_connection_serve(connection, &job->message);
    if (!server->overtaking)
        whittle_net_flush(connection);
    whittle_net_connection_leave(connection, true);
    /* One thread alone: it may have left unread what came while too many requests were under way. */
    if (!server->shared && server->ends_at == 0 && !connection->closed)
        whittle_net_ready_alone(connection, EPOLLIN);
    whittle_net_job_free(server, job);
}

void whittle_net_job_do(struct whittle_net_source *source, uint32_t events)
{
    struct whittle_net_server *const server =
        (struct whittle_net_server *)(void *)((char *)source - offsetof(struct whittle_net_server, job_event));
    uint64_t count;
    (void)events;
    if (read(source->fd, &count, sizeof count) < 0)
        return;
    /* Those of connections that have gone hold descriptors, and cost no time. */
    for (bool gone = true; gone;) {
        struct whittle_net_job *const job = whittle_net_job_take(server);
        if (job == NULL)
            return;
        gone = __atomic_load_n(&job->connection->closed, __ATOMIC_RELAXED) || __atomic_load_n(&job->connection->broken, __ATOMIC_RELAXED);
        whittle_net_job_serve(server, job);
    }
}

void whittle_net_jobs_finish(struct whittle_net_server *server)
{
    for (struct whittle_net_job *job; (job = whittle_net_job_take(server)) != NULL;) {
        if (whittle_net_now() >= server->ends_at && job->message.buffer != NULL)
            __atomic_store_n(&job->connection->broken, true, __ATOMIC_RELAXED);    /* it is not served, nor are others of it */
        whittle_net_job_serve(server, job);
    }
}
