/* SPDX-License-Identifier: MIT-0 */
/*
 * Threads in the server's loop. Without workers one thread at a time has it, and a servant that calls others goes on serving from
 * within its call; with workers each event goes to one of them. The last one to leave ends the server.
 */
#include "parts.h"
#include <limits.h>
#include <poll.h>

enum { WHITTLE_NESTED = 64 };
static __thread CORBA_ORB whittle_looping;
static __thread unsigned whittle_depth;

bool whittle_in_loop(CORBA_ORB orb)
{
    return whittle_looping == orb && !orb->shared && whittle_depth < WHITTLE_NESTED;
}

bool whittle_loop_open(CORBA_ORB orb)
{
    const struct whittle_options *const from = &orb->options;
    const struct whittle_net_options options = {
        .workers = from->workers, .longest = from->longest, .decoded = from->decoded, .pending = from->pending,
        .memory = (size_t)from->memory << 20, .connections = from->connections,
        .patience = from->patience * WHITTLE_NET_MILLISECOND, .grace = from->grace * WHITTLE_NET_MILLISECOND};
    const bool opened = whittle_net_server_open(&orb->net, &whittle_giop_server, &options);
    orb->net.shared = orb->net.overtaking = orb->net.poller.shared = orb->shared;
    return opened;
}

/* Who was stopped ends here, where locks may be taken. */
static bool whittle_has_ended(CORBA_ORB orb)
{
    if (whittle_orb_stops(orb) && !whittle_orb_has_ended(orb))
        whittle_loop_end(orb, false);
    return whittle_orb_has_ended(orb);
}

/* What comes through shared memory is looked at itself, as long as that pays (poll_memory.c); then it wakes epoll, as all else does. */
static int whittle_loop_poll(CORBA_ORB orb, bool one, int timeout)
{
    if (!orb->shared && orb->net.polled != NULL && timeout != 0)
        whittle_net_poll_memory(&orb->net);
    else if (!orb->shared && orb->net.polled != NULL)
        whittle_net_settle(&orb->net);
    return whittle_net_poll(&orb->net.poller, one ? 1 : WHITTLE_NET_EVENTS, timeout);
}

/* One event, or all that have come. */
static enum whittle_turn whittle_turn_some(CORBA_ORB orb, bool one, int timeout)
{
    if (whittle_has_ended(orb))
        return WHITTLE_TURN_ENDED;
    CORBA_ORB const outer = whittle_looping;
    whittle_looping = orb;
    whittle_depth++;
    const int count = whittle_loop_poll(orb, one, timeout);
    whittle_depth--;
    whittle_looping = outer;
    return whittle_has_ended(orb) ? WHITTLE_TURN_ENDED : count > 0 ? WHITTLE_TURN_DONE : WHITTLE_TURN_NOTHING;
}

/* Shared memory has something; whoever has the loop sees to it. */
static bool whittle_loop_has_near(CORBA_ORB orb)
{
    if (orb->shared || pthread_mutex_trylock(&orb->loop) != 0)
        return false;
    const bool has = whittle_net_memory_has_any(&orb->net);
    pthread_mutex_unlock(&orb->loop);
    return has;
}

/* What has come waits to be seen to; within `timeout` milliseconds. */
bool whittle_loop_has_work(CORBA_ORB orb, int timeout)
{
    struct pollfd watched = {.fd = orb->net.poller.epoll, .events = POLLIN};
    return (!orb->shared && whittle_net_poller_has_events(&orb->net.poller)) || whittle_loop_has_near(orb) || poll(&watched, 1, timeout) > 0;
}

/* Awake for a while, for what comes without the system: whether the stream has something. */
static bool whittle_stream_soon(CORBA_ORB orb, struct whittle_net_stream *stream, uint64_t until)
{
    enum { LOOKS = 32 };
    const uint64_t end = whittle_net_sooner(until, whittle_net_now() + orb->net.spin_time);
    if (stream->ops->look == NULL)
        return false;
    do
        for (int looks = 0; looks < LOOKS; looks++) {
            if (stream->ops->look(stream, EPOLLIN) != 0)
                return true;
            whittle_net_relax();
        }
    while (whittle_net_now() < end && !whittle_net_memory_has_any(&orb->net));
    return false;
}

bool whittle_serve_meanwhile(CORBA_ORB orb, struct whittle_net_stream *stream, uint64_t until)
{
    struct pollfd watched[2] = {{.fd = stream->fd, .events = POLLIN}, {.fd = orb->net.poller.epoll, .events = POLLIN}};
    if (whittle_stream_soon(orb, stream, until) || (stream->ops->watch(stream, EPOLLIN) & (uint32_t)EPOLLOUT) != 0)
        return true;
    const uint64_t now = whittle_net_now(), left = until > now ? (until - now) / WHITTLE_NET_MILLISECOND + 1 : 0;
    const bool ended = whittle_orb_has_ended(orb);
    const bool waits = !ended && (whittle_net_poller_has_events(&orb->net.poller) || !whittle_net_can_sleep(&orb->net));
    const int found = poll(watched, ended ? 1 : 2, waits ? 0 : left > INT_MAX ? INT_MAX : (int)left);
    if (found > 0 && watched[0].revents != 0) {
        stream->ops->events(stream, (uint32_t)EPOLLIN | ((watched[0].revents & (POLLHUP | POLLERR)) != 0 ? (uint32_t)EPOLLHUP : 0));
        return true;
    }
    if (waits || found > 0)
        whittle_turn_some(orb, true, 0);
    return false;
}

/* false: it is closed. */
static bool whittle_loop_enter(CORBA_ORB orb)
{
    pthread_mutex_lock(&orb->gate);
    const bool closed = orb->closed;
    orb->running += !closed;
    pthread_mutex_unlock(&orb->gate);
    return !closed;
}

static void whittle_loop_leave(CORBA_ORB orb)
{
    pthread_mutex_lock(&orb->gate);
    const bool last = --orb->running == 0 && whittle_orb_has_ended(orb) && !orb->closing;
    orb->closing = orb->closing || last;
    pthread_mutex_unlock(&orb->gate);
    if (!last)
        return;
    whittle_net_finish(&orb->net);
    pthread_mutex_lock(&orb->gate);
    orb->closed = true;
    pthread_cond_broadcast(&orb->idle);
    pthread_mutex_unlock(&orb->gate);
}

void whittle_loop_run(CORBA_ORB orb)
{
    const bool nested = whittle_in_loop(orb);
    if (!whittle_loop_enter(orb))
        return;
    if (!orb->shared && !nested)
        pthread_mutex_lock(&orb->loop);
    while (whittle_turn_some(orb, nested, -1) != WHITTLE_TURN_ENDED)
        ;
    if (!orb->shared && !nested)
        pthread_mutex_unlock(&orb->loop);
    whittle_loop_leave(orb);
}

void whittle_loop_once(CORBA_ORB orb)
{
    const bool nested = whittle_in_loop(orb), takes = !orb->shared && !nested;
    if (!whittle_loop_enter(orb))
        return;
    if (!takes || pthread_mutex_trylock(&orb->loop) == 0) {
        whittle_turn_some(orb, nested, 0);
        if (takes)
            pthread_mutex_unlock(&orb->loop);
    }
    whittle_loop_leave(orb);
}

void whittle_loop_end(CORBA_ORB orb, bool wait)
{
    pthread_mutex_lock(&orb->gate);
    const bool first = !whittle_orb_has_ended(orb);
    orb->running += first;
    __atomic_store_n(&orb->ended, true, __ATOMIC_SEQ_CST);
    pthread_mutex_unlock(&orb->gate);
    whittle_net_stop(&orb->net);
    whittle_adapters_each(orb, whittle_manager_end);
    if (first)
        whittle_loop_leave(orb);
    pthread_mutex_lock(&orb->gate);
    while (wait && !orb->closed)
        pthread_cond_wait(&orb->idle, &orb->gate);
    pthread_mutex_unlock(&orb->gate);
}
