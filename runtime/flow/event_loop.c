/* SPDX-License-Identifier: MIT-0 */
/*
 * The event loop: the one thread of this library. It makes and accepts connections, sends what is left over, hears about
 * deaths, and sleeps otherwise; packets do not go through it. Ticks are finer than epoll's milliseconds, so it waits in
 * ppoll, with little slack.
 */
#include "mux.h"
#include "internal.h"
#include <errno.h>
#include <linux/membarrier.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void whittle_flow_write_event(int bell)
{
    const uint64_t one = 1;
    if (bell >= 0 && write(bell, &one, sizeof one) < 0)
        return; /* full: it has been rung */
}

void whittle_flow_event_loop_wake(struct whittle_flow_event_loop *loop)
{
    whittle_flow_write_event(loop->waking.fd);
}

void whittle_flow_wake_stage(struct whittle_flow_link *link)
{
    whittle_flow_write_event(link->wakeup);
}

void whittle_flow_await_wakeup(struct whittle_flow_link *link, int timeout)
{
    struct pollfd bell = {.fd = link->wakeup, .events = POLLIN};
    uint64_t count;
    if (poll(&bell, 1, timeout) > 0 && read(link->wakeup, &count, sizeof count) < 0)
        return; /* somebody else of this process has read it */
}

/* Until the connection has something, or has ended. */
void whittle_flow_await_line(struct whittle_flow_link *link)
{
    struct pollfd line = {.fd = link->fd, .events = POLLIN};
    poll(&line, 1, -1);
}

static void whittle_flow_woken(struct whittle_net_source *source, uint32_t events)
{
    uint64_t count;
    (void)events;
    if (read(source->fd, &count, sizeof count) < 0)
        return; /* what woke it is found by looking, not by the count */
}

/* A connected sender's socket has something to say: room, an acknowledgement, its death. */
static void whittle_flow_listen_to(struct whittle_net_source *source, uint32_t events)
{
    struct whittle_flow_link *const link = WHITTLE_FLOW_LINK_OF(source, connected);
    (void)events;
    link->look = true;
    whittle_flow_tick(link, 0);
}

/* The flow is to end: who has no other end within a second will not have one. */
static uint64_t whittle_flow_give_up(struct whittle_flow_link *link, uint64_t now)
{
    const uint64_t asked = link->loop->asked_at, patience = 1000000000u;
    if (asked == 0 || link->abandoned || link->fan != NULL)
        return 0;
    if (pthread_mutex_trylock(&link->lock) != 0)    /* its stage is at work */
        return now + patience / 10;
    const uint64_t since = link->lost_at > asked ? link->lost_at : asked;
    /* A subscriber leaves its channel when it is asked to end, with what comes in the second after that. */
    const bool alone = (link->fd < 0 && link->pending < 0) || (link->receiver != NULL && link->edge->subscription);
    const bool over = alone && now >= since + patience;
    if (over)
        link->abandoned = true;
    pthread_mutex_unlock(&link->lock);
    if (over)
        whittle_flow_wake_stage(link);
    return over ? 0 : alone ? since + patience : now + patience;
}

/* The flow is to end: who is blocked looks how long it still waits. */
static void whittle_flow_asked_now(struct whittle_flow_event_loop *loop, uint64_t now)
{
    __atomic_store_n(&loop->asked_at, now, __ATOMIC_RELAXED);
    for (size_t n = 0; n < loop->link_count; n++)
        if (loop->links[n].sender != NULL)
            whittle_flow_wake_stage(&loop->links[n]);
}

/* Looks after every link; when to do so again. */
static uint64_t whittle_flow_round(struct whittle_flow_event_loop *loop, uint64_t now)
{
    uint64_t due = whittle_net_sooner(whittle_flow_handshakes_due(loop, now), whittle_flow_taps(loop, now));
    due = whittle_net_sooner(due, whittle_flow_metrics_due(loop, now));
    due = whittle_net_sooner(due, whittle_flow_muxes_due(loop, now));
    due = whittle_net_sooner(due, whittle_flow_report(loop, now, false));
    if (loop->asked_at == 0 && !whittle_flow_goes_on())
        whittle_flow_asked_now(loop, now);
    for (size_t n = 0; n < loop->link_count; n++) {
        struct whittle_flow_link *const link = &loop->links[n];
        if (link->sender != NULL) {
            due = whittle_net_sooner(due, whittle_flow_tick(link, now));
            due = whittle_net_sooner(due, whittle_flow_fan_step(link, now));
            due = whittle_net_sooner(due, whittle_flow_dial_step(link, now, false));
        }
        due = whittle_net_sooner(due, whittle_flow_give_up(link, now));
    }
    return due;
}

static void *whittle_flow_carry(void *argument)
{
    struct whittle_flow_event_loop *const loop = argument;
    prctl(PR_SET_NAME, "whittle", 0, 0, 0);
    prctl(PR_SET_TIMERSLACK, 1000, 0, 0, 0);
    while (!__atomic_load_n(&loop->ending, __ATOMIC_ACQUIRE)) {
        /* Who wants to be looked after sooner says so first, and wakes this thread where `due` is later: see whittle_flow_look_again. */
        __atomic_store_n(&loop->due, UINT64_MAX, __ATOMIC_SEQ_CST);
        const uint64_t due = whittle_flow_round(loop, whittle_net_now()), now = whittle_net_now();
        __atomic_store_n(&loop->due, due, __ATOMIC_SEQ_CST);
        const uint64_t left = due > now ? due - now : 0;
        const struct timespec wait = {(time_t)(left / 1000000000u), (long)(left % 1000000000u)};
        struct pollfd all = {.fd = loop->poller.epoll, .events = POLLIN};
        if (ppoll(&all, 1, due == 0 ? NULL : &wait, NULL) > 0)
            whittle_net_poll(&loop->poller, WHITTLE_NET_EVENTS, 0);
    }
    return NULL;
}

bool whittle_flow_event_loop_start(struct whittle_flow_event_loop *loop)
{
    sigset_t all, before;
    loop->barrier = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
    loop->waking.ready = whittle_flow_woken;
    bool done = whittle_net_watch(&loop->poller, &loop->waking, EPOLLIN);
    for (size_t n = 0; n < loop->link_count && done; n++) {
        struct whittle_flow_link *const link = &loop->links[n];
        link->listening.ready = whittle_flow_accept;
        link->dialing.ready = whittle_flow_dial_ready;
        link->connected.ready = whittle_flow_listen_to;
        if (link->listening.fd >= 0)
            done = whittle_net_watch(&loop->poller, &link->listening, EPOLLIN);
    }
    /* Signals are for the program's own threads. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    loop->running = done && pthread_create(&loop->thread, NULL, whittle_flow_carry, loop) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!loop->running)
        whittle_flow_log_process(loop->process, "its thread cannot be started: %s", strerror(errno));
    return loop->running;
}

void whittle_flow_event_loop_stop(struct whittle_flow_event_loop *loop)
{
    if (!loop->running)
        return;
    __atomic_store_n(&loop->ending, true, __ATOMIC_RELEASE);
    whittle_flow_event_loop_wake(loop);
    pthread_join(loop->thread, NULL);
    loop->running = false;
    whittle_flow_report(loop, whittle_net_now(), true);
}
