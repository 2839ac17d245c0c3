/* SPDX-License-Identifier: MIT-0 */
/*
 * Receiving: what whittle_flow_receive leaves to do when no packet is at hand. A receiver of one edge reads its socket itself
 * and sleeps in it; a receiver of several sleeps until any has something, and takes what has the greatest priority.
 */
#include "mux.h"
#include "internal.h"
#include <poll.h>
#include <stdlib.h>

static enum whittle_flow_have whittle_flow_try_one(struct whittle_flow_link *link, const void **packet, bool reads)
{
    if (link->edge->subscription && link->abandoned && !link->refused && !link->heard_end)
        whittle_flow_refuse(link->receiver);    /* asked to end: it leaves its channel */
    if (link->refused)
        return WHITTLE_FLOW_OVER;
    if (link->functions != NULL)
        return link->functions->look(link, packet);
    for (;;) {
        const enum whittle_flow_have have = whittle_flow_transport_of(link->edge)->shared ? whittle_flow_shared_look(link, packet) : whittle_flow_look(link, packet);
        if (have != WHITTLE_FLOW_NOTHING || !reads)
            return have;
        if (link->fd < 0) {
            if (whittle_flow_switch(link))
                continue;
            return link->abandoned ? WHITTLE_FLOW_OVER : WHITTLE_FLOW_NOTHING;
        }
        if (whittle_flow_transport_of(link->edge)->shared)
            return WHITTLE_FLOW_NOTHING;
        whittle_flow_acknowledge(link, false, 0);
        const size_t before = link->filled - link->parsed;
        whittle_flow_fill(link, false);
        if (link->fd >= 0 && link->filled - link->parsed == before)
            return WHITTLE_FLOW_NOTHING;
    }
}

/* A packet that is there, or nothing; never sleeps. `reads`: looks at the socket, too. */
static enum whittle_flow_have whittle_flow_try(struct whittle_flow_link *link, const void **packet, bool reads)
{
    if (link->edge->latest)
        whittle_flow_fetch_newest(link);
    enum whittle_flow_have have = whittle_flow_try_one(link, packet, reads);
    while (have == WHITTLE_FLOW_PACKET && link->edge->latest && whittle_flow_is_replaced(link))
        have = whittle_flow_try_one(link, packet, reads);
    return have;
}

static void whittle_flow_before_sleep(struct whittle_flow_link *link)
{
    whittle_flow_flush_own(link->loop->process);
    if (whittle_flow_rest_due(link) == 0)
        whittle_flow_break(link, "the rest of a batch did not come", false);
    /* Where the window is small, what is taken must not keep the largest packet out of it. */
    const bool narrow = link->window - link->window / 4 < link->record;
    whittle_flow_acknowledge(link, narrow, 0);
}

/* False where the rest of a batch is due, and nothing comes until then. */
static bool whittle_flow_has_more(struct whittle_flow_link *link)
{
    const int due = whittle_flow_rest_due(link);
    return due < 0 || poll(&(struct pollfd){.fd = link->fd, .events = POLLIN}, 1, due) != 0;
}

__attribute__((noinline)) const void *whittle_flow_receive_on(struct whittle_flow_receiver *receiver)
{
    struct whittle_flow_link *const link = receiver->link;
    const void *packet = NULL;
    size_t which;
    if (link->edge->subscription)   /* which ends while its sender goes on: it sleeps where it can be woken */
        return whittle_flow_receive_until(&(struct whittle_flow_receiver *){receiver}, 1, UINT64_MAX, &which);
    whittle_flow_release(link);
    if (link->functions == NULL)
        whittle_flow_acknowledge(link, false, 0);
    for (;;) {
        const enum whittle_flow_have have = whittle_flow_try(link, &packet, link->fd < 0);
        if (have != WHITTLE_FLOW_NOTHING)
            return have == WHITTLE_FLOW_PACKET ? packet : NULL;
        whittle_flow_before_sleep(link);
        if (link->fd < 0)
            whittle_flow_await_wakeup(link, -1);
        else if (whittle_flow_transport_of(link->edge)->shared)
            whittle_flow_shared_sleep(link);
        else if (whittle_flow_has_more(link))
            whittle_flow_fill(link, true);
    }
}

void whittle_flow_done_on(struct whittle_flow_receiver *receiver)
{
    whittle_flow_release(receiver->link);
}

uint64_t whittle_flow_born(const struct whittle_flow_receiver *receiver)
{
    return receiver->link->edge->stamped ? receiver->link->born : 0;
}

/* The next lower priority among receivers; -1: none. */
static int whittle_flow_next_priority(struct whittle_flow_receiver *const *receivers, size_t count, int below)
{
    int best = -1;
    for (size_t n = 0; n < count; n++)
        if (receivers[n]->edge->priority < below && receivers[n]->edge->priority > best)
            best = receivers[n]->edge->priority;
    return best;
}

/* Of one priority, in turn; those that have a packet at hand before those whose socket must be asked. */
static enum whittle_flow_have whittle_flow_try_some(
    struct whittle_flow_receiver *const *receivers, size_t count, int priority, bool reads, const void **packet, size_t *which)
{
    enum whittle_flow_have all = WHITTLE_FLOW_OVER;
    struct whittle_flow_link *const first = receivers[0]->link;
    for (size_t n = 0; n < count; n++) {
        const size_t place = (first->turn_any + n) % count;
        if (receivers[place]->edge->priority != priority)
            continue;
        const enum whittle_flow_have have = whittle_flow_try(receivers[place]->link, packet, reads);
        if (have == WHITTLE_FLOW_PACKET) {
            first->turn_any = place + 1;
            *which = place;
            return have;
        }
        if (have == WHITTLE_FLOW_NOTHING)
            all = have;
    }
    return all;
}

struct whittle_flow_polling { struct pollfd *all; nfds_t count; int ready; };

static bool whittle_flow_poll_once(struct whittle_flow_link *link, void *what)
{
    struct whittle_flow_polling *const polling = what;
    (void)link;
    polling->ready = poll(polling->all, polling->count, 0);
    return polling->ready != 0;
}

/* Of some receivers with nothing in hand, greater priority first: a packet that is there; never sleeps. */
enum whittle_flow_have whittle_flow_look_among(struct whittle_flow_receiver *const *receivers, size_t count, const void **packet, size_t *which)
{
    enum whittle_flow_have all = WHITTLE_FLOW_OVER;
    for (int priority = whittle_flow_next_priority(receivers, count, 256); priority >= 0;
         priority = whittle_flow_next_priority(receivers, count, priority)) {
        enum whittle_flow_have have = whittle_flow_try_some(receivers, count, priority, false, packet, which);
        if (have != WHITTLE_FLOW_PACKET)
            have = whittle_flow_try_some(receivers, count, priority, true, packet, which);
        if (have == WHITTLE_FLOW_PACKET)
            return have;
        all = have == WHITTLE_FLOW_NOTHING ? have : all;
    }
    return all;
}

/* Until one of them has something, or something else changes, or until a time. */
void whittle_flow_sleep_any(struct whittle_flow_receiver *const *receivers, size_t count, uint64_t until)
{
    struct pollfd few[48], *const all = count <= 16 ? few : calloc(3 * count, sizeof *all);
    if (all == NULL)
        return;
    bool at_once = false;
    size_t muxes = 0;
    const uint64_t now = whittle_net_now(), left = until > now ? (until - now + 999999) / 1000000 : 0;
    int due = until == UINT64_MAX ? -1 : left > INT32_MAX ? INT32_MAX : (int)left;
    for (size_t n = 0; n < count; n++) {
        struct whittle_flow_link *const link = receivers[n]->link;
        const bool over = link->refused || link->heard_end || link->abandoned;
        whittle_flow_before_sleep(link);
        const int rest = whittle_flow_rest_due(link);
        due = rest >= 0 && (due < 0 || rest < due) ? rest : due;
        at_once |= !over && whittle_flow_transport_of(link->edge)->shared && link->fd >= 0 && !whittle_flow_shared_may_sleep(link);
        all[2 * n] = (struct pollfd){.fd = over ? -1 : link->fd, .events = POLLIN};
        all[2 * n + 1] = (struct pollfd){.fd = over ? -1 : link->wakeup, .events = POLLIN};
        const bool same = n > 0 && link->substream != NULL && receivers[n - 1]->link->substream != NULL && link->substream->mux == receivers[n - 1]->link->substream->mux;
        link->led = over || same ? (struct whittle_flow_lead){NULL, -1} : whittle_flow_mux_lead(link);
        if (link->led.fd >= 0)
            all[2 * count + muxes++] = (struct pollfd){.fd = link->led.fd, .events = POLLIN};
    }
    struct whittle_flow_polling polling = {all, (nfds_t)(2 * count + muxes), 0};
    if (at_once || !whittle_flow_spin(receivers[0]->link, whittle_flow_poll_once, &polling))
        polling.ready = poll(all, polling.count, at_once ? 0 : due);
    for (size_t n = 0; n < count; n++)
        if (receivers[n]->link->led.fd < 0)
            whittle_flow_mux_follow(receivers[n]->link->led);
    for (size_t n = 0; n < count && muxes > 0; n++)
        if (receivers[n]->link->led.fd >= 0) {
            whittle_flow_fill(receivers[n]->link, false);   /* before anybody else is asked to */
            whittle_flow_mux_follow(receivers[n]->link->led);
        }
    if (polling.ready > 0)
        for (size_t n = 0; n < count; n++) {
            if ((all[2 * n + 1].revents & POLLIN) != 0)
                whittle_flow_await_wakeup(receivers[n]->link, 0);
            if (all[2 * n].revents != 0 && whittle_flow_transport_of(receivers[n]->edge)->shared)
                whittle_flow_shared_read_socket(receivers[n]->link, false);
        }
    if (all != few)
        free(all);
}

/* 0: only what is there. */
const void *whittle_flow_receive_until(struct whittle_flow_receiver *const *receivers, size_t count, uint64_t until, size_t *which)
{
    const void *packet = NULL;
    for (size_t n = 0; n < count; n++)
        whittle_flow_release(receivers[n]->link);
    for (;;) {
        const enum whittle_flow_have have = whittle_flow_look_among(receivers, count, &packet, which);
        if (have == WHITTLE_FLOW_PACKET)
            return packet;
        if (have == WHITTLE_FLOW_OVER || whittle_flow_is_over(receivers, count) || until == 0 || (until != UINT64_MAX && whittle_net_now() >= until))
            return NULL;
        whittle_flow_sleep_any(receivers, count, until);
    }
}

const void *whittle_flow_receive_any(struct whittle_flow_receiver *const *receivers, size_t count, size_t *which)
{
    return whittle_flow_receive_until(receivers, count, UINT64_MAX, which);
}

/* What leads back comes of the packets of the others: once they are over, nobody waits for it. By itself it is waited for. */
bool whittle_flow_is_over(struct whittle_flow_receiver *const *receivers, size_t count)
{
    bool over = true, forward_over = true, forward = false;
    for (size_t n = 0; n < count; n++) {
        const struct whittle_flow_link *const link = receivers[n]->link;
        const bool this_over = link->refused || link->heard_end || link->abandoned;
        over = over && this_over;
        forward_over = forward_over && (this_over || link->edge->feedback);
        forward = forward || !link->edge->feedback;
    }
    return forward ? forward_over : over;
}

/* The stage never ran: its sender, which may not have come yet, is to hear that no packet is wanted. */
void whittle_flow_await_sender(struct whittle_flow_link *link)
{
    const uint64_t until = whittle_net_now() + link->loop->patience;
    const void *packet = NULL;
    enum whittle_flow_have have = WHITTLE_FLOW_NOTHING;
    while (link->functions == NULL && have == WHITTLE_FLOW_NOTHING && (link->fd < 0 || link->start_due) && whittle_net_now() < until) {
        have = whittle_flow_try(link, &packet, true);
        if (have == WHITTLE_FLOW_NOTHING && (link->fd < 0 || link->start_due))
            whittle_flow_mux_follow(whittle_flow_await(link, link->fd, false, whittle_net_now() + 100000000u));
    }
    if (have != WHITTLE_FLOW_PACKET)
        return;
    /* It came, and nobody was given it. */
    whittle_flow_release(link);
    whittle_flow_count(link, WHITTLE_FLOW_SKIPPED, 1);
    whittle_flow_count(link, WHITTLE_FLOW_ABANDONED, 1);
}

void whittle_flow_refuse(struct whittle_flow_receiver *receiver)
{
    struct whittle_flow_link *const link = receiver->link;
    whittle_flow_release(link);
    whittle_flow_trace(link, "refuses taken=%llu", (unsigned long long)whittle_flow_ledger_taken(link->page));
    pthread_mutex_lock(&link->lock);
    link->refused = true;
    pthread_mutex_unlock(&link->lock);
    receiver->limit = 0;
    if (link->functions != NULL)
        link->functions->refuse(link);
    else if (!link->heard_end) {
        whittle_flow_acknowledge(link, true, WHITTLE_FLOW_REFUSE);
        if (whittle_flow_transport_of(link->edge)->shared)
            whittle_flow_shared_refuse(link);
        if (link->fd >= 0)
            whittle_flow_stream_shut(link->fd, link->substream, SHUT_WR);
    }
}
