/* SPDX-License-Identifier: MIT-0 */
/*
 * The server's loop: waits for what comes, and serves it, one event at a time. Without workers one thread has the loop, and a
 * servant that calls others goes on serving from within its call; with workers each event goes to one of them.
 */
#include "parts.h"
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { WHITTLE_NESTED = 64 };
static _Thread_local CORBA_ORB whittle_looping;
static _Thread_local unsigned whittle_depth;

bool whittle_in_loop(CORBA_ORB orb)
{
    return whittle_looping == orb && !orb->shared && whittle_depth < WHITTLE_NESTED;
}

bool whittle_loop_add(CORBA_ORB orb, int fd, uint64_t what, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.u64 = what};
    return epoll_ctl(orb->epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

bool whittle_loop_open(CORBA_ORB orb)
{
    orb->epoll = epoll_create1(EPOLL_CLOEXEC);
    orb->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE);
    orb->listener = orb->timer = orb->spare = -1;
    return orb->epoll >= 0 && orb->wake >= 0 && whittle_loop_add(orb, orb->wake, WHITTLE_WATCH_WAKE, EPOLLIN);
}

void whittle_wake(CORBA_ORB orb)
{
    const uint64_t one = 1;
    if (write(orb->wake, &one, sizeof one) < 0 && errno != EAGAIN)
        abort();
}

void whittle_job(CORBA_ORB orb, struct whittle_connection *connection, struct whittle_message *message)
{
    struct whittle_held *const job = (struct whittle_held *)malloc(sizeof *job);
    if (job == NULL) {  /* nobody can be told later: serve it now */
        whittle_serve(orb, connection, message);
        whittle_server_done(connection);
        return;
    }
    *job = (struct whittle_held){NULL, connection, *message};
    whittle_connection_keep(connection);
    pthread_mutex_lock(&orb->gate);
    *orb->jobs_end = job;
    orb->jobs_end = &job->next;
    pthread_mutex_unlock(&orb->gate);
    whittle_wake(orb);
}

static void whittle_job_do(CORBA_ORB orb)
{
    uint64_t count;
    if (read(orb->wake, &count, sizeof count) < 0)
        return;
    pthread_mutex_lock(&orb->gate);
    struct whittle_held *const job = orb->jobs;
    if (job != NULL && (orb->jobs = job->next) == NULL)
        orb->jobs_end = &orb->jobs;
    pthread_mutex_unlock(&orb->gate);
    if (job == NULL)
        return;
    whittle_serve(orb, job->connection, &job->message);
    whittle_server_done(job->connection);
    whittle_connection_drop(job->connection);
    free(job);
}

static void whittle_turn_connection(CORBA_ORB orb, const struct epoll_event *event)
{
    struct whittle_connection *const connection = whittle_server_of(orb, event->data.u64);
    if (connection == NULL)
        return;
    whittle_server_ready(connection, event->events);
    whittle_connection_drop(connection);
}

/* Who was stopped ends here, where locks may be taken. */
static bool whittle_has_ended(CORBA_ORB orb)
{
    if (orb->stopping && !orb->ended)
        whittle_loop_end(orb, false);
    return orb->ended;
}

enum whittle_turn whittle_turn(CORBA_ORB orb, int timeout)
{
    struct epoll_event event;
    if (whittle_has_ended(orb))
        return WHITTLE_TURN_ENDED;
    if (epoll_wait(orb->epoll, &event, 1, timeout) <= 0)
        return WHITTLE_TURN_NOTHING;
    if (whittle_has_ended(orb))
        return WHITTLE_TURN_ENDED;
    CORBA_ORB const outer = whittle_looping;
    whittle_looping = orb;
    whittle_depth++;
    if (event.data.u64 == WHITTLE_WATCH_LISTENER)
        whittle_accept(orb);
    else if (event.data.u64 == WHITTLE_WATCH_WAKE)
        whittle_job_do(orb);
    else if (event.data.u64 == WHITTLE_WATCH_TIMER)
        whittle_server_sweep(orb);
    else
        whittle_turn_connection(orb, &event);
    whittle_depth--;
    whittle_looping = outer;
    return WHITTLE_TURN_DONE;
}

enum whittle_event whittle_serve_meanwhile(CORBA_ORB orb, int fd, uint64_t deadline)
{
    struct pollfd watched[2] = {{.fd = fd, .events = POLLIN}, {.fd = orb->epoll, .events = POLLIN}};
    int patience = -1;
    if (deadline != 0) {
        const uint64_t now = whittle_now();
        if (now >= deadline)
            return WHITTLE_EVENT_LATE;
        const uint64_t left = (deadline - now) / 1000000u + 1;
        patience = left > INT_MAX ? INT_MAX : (int)left;
    }
    const bool ended = orb->ended;
    if (poll(watched, ended ? 1 : 2, patience) <= 0)
        return WHITTLE_EVENT_NONE;
    if (watched[0].revents != 0)
        return WHITTLE_EVENT_THERE;
    whittle_turn(orb, 0);
    return WHITTLE_EVENT_NONE;
}

/* The last one to leave closes what is open. */
static void whittle_loop_leave(CORBA_ORB orb)
{
    pthread_mutex_lock(&orb->gate);
    const bool last = --orb->running == 0 && orb->ended;
    pthread_mutex_unlock(&orb->gate);
    if (!last)
        return;
    whittle_server_end(orb);
    pthread_mutex_lock(&orb->gate);
    orb->closed = true;
    pthread_cond_broadcast(&orb->idle);
    pthread_mutex_unlock(&orb->gate);
}

void whittle_loop_run(CORBA_ORB orb)
{
    const bool nested = whittle_in_loop(orb);
    pthread_mutex_lock(&orb->gate);
    const bool closed = orb->closed;
    orb->running += !closed;
    pthread_mutex_unlock(&orb->gate);
    if (closed)
        return;
    if (!orb->shared && !nested)
        pthread_mutex_lock(&orb->loop);
    while (whittle_turn(orb, -1) != WHITTLE_TURN_ENDED)
        ;
    if (!orb->shared && !nested)
        pthread_mutex_unlock(&orb->loop);
    whittle_loop_leave(orb);
}

void whittle_loop_end(CORBA_ORB orb, bool wait)
{
    pthread_mutex_lock(&orb->gate);
    const bool first = !orb->ended;
    orb->running += first;
    orb->ended = true;
    pthread_mutex_unlock(&orb->gate);
    whittle_wake(orb);
    whittle_adapters_wake(orb);
    if (first)
        whittle_loop_leave(orb);
    pthread_mutex_lock(&orb->gate);
    while (wait && !orb->closed)
        pthread_cond_wait(&orb->idle, &orb->gate);
    pthread_mutex_unlock(&orb->gate);
}

void whittle_loop_close(CORBA_ORB orb)
{
    while (orb->jobs != NULL) {
        struct whittle_held *const job = orb->jobs;
        orb->jobs = job->next;
        whittle_buffer_give(&orb->pool, job->message.buffer);
        whittle_connection_drop(job->connection);
        free(job);
    }
    if (orb->epoll >= 0)
        close(orb->epoll);
    if (orb->wake >= 0)
        close(orb->wake);
}
