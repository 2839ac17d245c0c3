/* SPDX-License-Identifier: MIT-0 */
/*
 * Sending: what whittle_flow_send leaves to do once a packet stands in the ring. An idle edge writes at once; a busy one lets
 * packets gather until a batch is full, and the event loop looks for what is left over; a full one waits for its receiver.
 */
#include "mux.h"
#include "internal.h"
#include <string.h>

enum { WHITTLE_FLOW_IDLE_AFTER = 5000, WHITTLE_FLOW_SHORT = 16384 };     /* nanoseconds without a write; bytes between the middles */

/* The room's base for positions up to the end of the ring's second image; with the lock held. */
void whittle_flow_turn_ring(struct whittle_flow_link *link)
{
    const uint64_t at = whittle_flow_position(link), turn = at - at % link->ring.size;
    if (link->fast)
        link->sender->base = (uintptr_t)link->ring.data - (uintptr_t)turn;
    link->turn_at = turn + 2 * link->ring.size - 2 * (uint64_t)link->record;
}

static bool whittle_flow_has_acknowledgement(struct whittle_flow_link *link, void *what)
{
    (void)what;
    return whittle_flow_read_acknowledgements(link) || link->fd < 0;
}

/*
 * The queue is full, and the edge blocks: with the lock held, and without it while this thread sleeps. As long as it does, it hears
 * what the connection says, and the event loop need not look.
 */
static void whittle_flow_wait_for_place(struct whittle_flow_link *link, uint64_t until)
{
    whittle_flow_push(link, true);
    if (!whittle_flow_full(link, 0, 0))
        return;
    /* Where the queue is long, its receiver works for a while before it says anything, and may want this processor for it. */
    const bool soon = whittle_flow_position(link) - link->taken.bytes < WHITTLE_FLOW_SHORT;
    const struct whittle_flow_lead awake = whittle_flow_mux_lead(link);
    const bool heard = soon && link->fd >= 0 && !link->blocked && whittle_flow_spin(link, whittle_flow_has_acknowledgement, NULL);
    whittle_flow_mux_follow(awake);
    if (heard)
        return;
    const int fd = link->fd;
    const bool writes = link->blocked && link->substream == NULL;
    link->asleep = true;
    link->tick_at = 0;
    pthread_mutex_unlock(&link->lock);
    whittle_flow_fan_rest(link);
    const struct whittle_flow_lead lead = whittle_flow_await(link, fd, writes, until);
    whittle_flow_fan_resume(link);
    pthread_mutex_lock(&link->lock);
    link->asleep = link->blocked = false;
    whittle_flow_read_acknowledgements(link);
    whittle_flow_mux_follow(lead);
    if (link->armed)
        whittle_flow_look_again(link, whittle_net_now());
}

/* Waits until one more may wait in the queue, as long as somebody may still come for it; with the lock held. Whether it had to. */
static bool whittle_flow_place(struct whittle_flow_link *link)
{
    const uint64_t since = whittle_net_now();
    bool counted = false;
    while (whittle_flow_full(link, 0, 0) && !link->refused && !link->abandoned) {
        const uint64_t until = whittle_flow_blocked_until(link, since);
        if (until != 0 && whittle_net_now() >= until) {
            link->stopped = true;
            link->sender->step = 0;
            break;
        }
        if (!counted) {
            whittle_flow_count(link, WHITTLE_FLOW_WAITS, 1);
            whittle_flow_advise(link->edge->on_full, link, NULL, 0);
        }
        counted = true;
        whittle_flow_wait_for_place(link, until);
    }
    return counted;
}

/* Whether what waits goes now: who had to wait for the receiver has a part of the queue to fill first, as who has other packets for many. */
static bool whittle_flow_goes_now(const struct whittle_flow_link *link, bool waited)
{
    if (link->edge->batch_within > 0 || waited || (link->fan != NULL && whittle_flow_fan_gathers(link, whittle_net_now())))
        return link->armed && (link->frontier.count + link->gather_items <= whittle_flow_ledger_queued(link->page)
            || (link->edge->batch_within == 0 && link->frontier.bytes + link->gather_bytes <= whittle_flow_position(link)));
    return link->fd >= 0 && (link->armed || whittle_net_now() - link->last_write > WHITTLE_FLOW_IDLE_AFTER);
}

/* A packet has been added: decides whether it goes now. */
static enum whittle_flow_result whittle_flow_settle(struct whittle_flow_link *link)
{
    if ((!link->fast || __atomic_load_n(&link->watched, __ATOMIC_RELAXED)) && whittle_flow_position(link) < __atomic_load_n(&link->limit_at, __ATOMIC_RELAXED)
        && link->page->counter[WHITTLE_FLOW_QUEUED] < __atomic_load_n(&link->limit_count, __ATOMIC_RELAXED))
        return WHITTLE_FLOW_IS_SENT;    /* and the room's base holds up to there */
    if (!link->owned) {
        link->owner = pthread_self();
        __atomic_store_n(&link->owned, true, __ATOMIC_RELEASE);
    }
    pthread_mutex_lock(&link->lock);
    whittle_flow_turn_ring(link);
    whittle_flow_sample(link, whittle_flow_counter(link->page, WHITTLE_FLOW_SENT) + whittle_flow_waiting(link) - 1);
    const bool waited = link->edge->full == WHITTLE_FLOW_BLOCK && whittle_flow_place(link);
    const bool over = link->refused || link->ended || link->abandoned;
    if (over) {
        link->sender->step = 0;
        whittle_flow_gather(link);
    } else {
        if (whittle_flow_goes_now(link, waited))
            whittle_flow_push(link, true);
        else
            whittle_flow_gather(link);
        if (!link->armed && link->fd >= 0 && whittle_flow_has_left(link))
            whittle_flow_arm(link, whittle_net_now());
    }
    pthread_mutex_unlock(&link->lock);
    return over ? whittle_flow_closed(link) : WHITTLE_FLOW_IS_SENT;
}

__attribute__((noinline)) enum whittle_flow_result whittle_flow_send_on(struct whittle_flow_sender *sender, uint64_t born)
{
    struct whittle_flow_link *const link = sender->link;
    if (__atomic_load_n(&link->watched, __ATOMIC_RELAXED) && sender->projection == NULL)
        whittle_flow_observe(link, (const unsigned char *)whittle_flow_room(sender) - sender->step);
    if (link->functions != NULL)
        return link->functions->send(link, whittle_flow_room(sender), born);
    if (whittle_flow_transport_of(link->edge)->shared)
        return whittle_flow_shared_send(link, NULL, born);
    if (sender->step == 0) {
        const enum whittle_flow_result result = whittle_flow_append(link, whittle_flow_room(sender), born);
        if (result != WHITTLE_FLOW_IS_SENT)
            return result;
    }
    return whittle_flow_settle(link);
}

enum whittle_flow_result whittle_flow_send_copy(struct whittle_flow_sender *sender, const void *packet, uint64_t born)
{
    struct whittle_flow_link *const link = sender->link;
    if (__atomic_load_n(&link->watched, __ATOMIC_RELAXED) && sender->step == 0 && sender->projection == NULL)
        whittle_flow_observe(link, packet);     /* who selects fields is given a part of what is seen: publish.c */
    if (link->functions != NULL)
        return link->functions->send(link, packet, born);
    if (whittle_flow_transport_of(link->edge)->shared)
        return whittle_flow_shared_send(link, packet, born);
    if (sender->step != 0) {
        memcpy(whittle_flow_room(sender), packet, link->edge->type->size);
        return whittle_flow_send(sender, born);
    }
    const enum whittle_flow_result result = whittle_flow_append(link, packet, born);
    return result == WHITTLE_FLOW_IS_SENT ? whittle_flow_settle(link) : result;
}

static void whittle_flow_flush_one(struct whittle_flow_link *link)
{
    if (link->functions != NULL || whittle_flow_transport_of(link->edge)->shared)
        return;
    pthread_mutex_lock(&link->lock);
    if (whittle_flow_has_left(link))
        whittle_flow_push(link, false);
    pthread_mutex_unlock(&link->lock);
}

void whittle_flow_flush(struct whittle_flow_process *process)
{
    for (size_t n = 0; n < process->sender_count; n++)
        whittle_flow_flush_one(process->senders[n]->link);
}

/* Before a thread waits for packets: what it sent itself. Other threads' batches are theirs to fill. */
void whittle_flow_flush_own(struct whittle_flow_process *process)
{
    for (size_t n = 0; n < process->sender_count; n++) {
        struct whittle_flow_link *const link = process->senders[n]->link;
        if (__atomic_load_n(&link->owned, __ATOMIC_ACQUIRE) && pthread_equal(link->owner, pthread_self()))
            whittle_flow_flush_one(link);
    }
}

void whittle_flow_close(struct whittle_flow_sender *sender)
{
    struct whittle_flow_link *const link = sender->link;
    if (link->functions != NULL) {
        link->functions->end(link);
        return;
    }
    pthread_mutex_lock(&link->lock);
    if (!link->ended) {
        link->closed_at = whittle_net_now();
        whittle_flow_trace(link, "closes queued=%llu", (unsigned long long)(whittle_flow_counter(link->page, WHITTLE_FLOW_SENT) + whittle_flow_waiting(link)));
    }
    link->ended = true;
    sender->step = 0;
    if (whittle_flow_transport_of(link->edge)->shared)
        whittle_flow_shared_end(link);
    else
        whittle_flow_push(link, false);
    pthread_mutex_unlock(&link->lock);
}
