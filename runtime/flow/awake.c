/* SPDX-License-Identifier: MIT-0 */
/*
 * Waiting for a peer: to put a thread to sleep and wake it again costs more than a peer that is at work takes to answer,
 * so a link that waits stays awake for a short while first, as long as that has paid lately. In goes what is waited for;
 * whoever else wants the processor gets it between two looks. Source: competitive spinning (Karlin, Li, Manasse, Owicki,
 * "Empirical studies of competitive spinning for a shared-memory multiprocessor", 1991): the time awake
 * is bounded, and the last waits say whether it is spent at all.
 */
#include "parts.h"
#include <errno.h>
#include <sched.h>
#include <sys/socket.h>

enum { WHITTLE_FLOW_MISSES_MOST = 8 };

/* Whether to stay awake for this wait. */
static bool whittle_flow_attends(const struct whittle_flow_link *link, struct whittle_flow_attention *attention)
{
    if (link->carrier->awake == 0)
        return false;
    if (attention->skip > 0) {
        attention->skip--;
        return false;
    }
    return true;
}

/* It came in time, or each miss doubles the waits until the next attempt. */
static void whittle_flow_attended(struct whittle_flow_attention *attention, bool in_time)
{
    if (in_time)
        attention->misses = 0;
    else if (attention->misses < WHITTLE_FLOW_MISSES_MOST)
        attention->misses++;
    attention->skip = in_time ? 0 : (1u << attention->misses) - 1;
}

/* Looks again and again; false: it has not come within the time to be awake, or none is to be spent. */
bool whittle_flow_stay_awake(struct whittle_flow_link *link, bool (*look)(struct whittle_flow_link *link, void *what), void *what)
{
    struct whittle_flow_attention *const attention = &link->attention;
    if (!whittle_flow_attends(link, attention))
        return false;
    uint64_t now = whittle_net_now();
    const uint64_t until = now + link->carrier->awake;
    bool came = look(link, what);
    while (!came && now < until) {
        sched_yield();
        came = look(link, what);
        now = whittle_net_now();
    }
    /* Where somebody else had the processor meanwhile, it came, but this thread had rather slept: it had been woken sooner. */
    whittle_flow_attended(attention, came && now < until);
    return came;
}

struct whittle_flow_reading { void *to; size_t room; ssize_t came; };

static bool whittle_flow_look_at_line(struct whittle_flow_link *link, void *what)
{
    struct whittle_flow_reading *const reading = what;
    reading->came = recv(link->fd, reading->to, reading->room, MSG_DONTWAIT);
    return reading->came >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
}

/* As recv of the link's connection: once without waiting, or until something comes. */
ssize_t whittle_flow_read_line(struct whittle_flow_link *link, void *to, size_t room, bool wait)
{
    struct whittle_flow_reading reading = {to, room, -1};
    if (!wait)
        return recv(link->fd, to, room, MSG_DONTWAIT);
    return whittle_flow_stay_awake(link, whittle_flow_look_at_line, &reading) ? reading.came : recv(link->fd, to, room, 0);
}
