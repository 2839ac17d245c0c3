/* SPDX-License-Identifier: MIT-0 */
/*
 * Sending: what whittle_flow_send leaves to do once a packet stands in the ring. An idle edge writes at once; a busy one lets
 * packets gather until a batch is full, and the carrier looks for what is left over; a full one waits for its receiver.
 */
#include "parts.h"
#include <string.h>

enum { WHITTLE_FLOW_IDLE_AFTER = 5000 };     /* nanoseconds without a write */

/* The room's base for positions up to the end of the ring's second image; with the lock held. */
void whittle_flow_turn_ring(struct whittle_flow_link *link)
{
    const uint64_t at = whittle_flow_position(link), turn = at - at % link->ring.size;
    if (link->fast)
        link->sender->base = (uintptr_t)link->ring.data - (uintptr_t)turn;
    link->turn_at = turn + 2 * link->ring.size - 2 * (uint64_t)link->record;
}

static bool whittle_flow_hears_any(struct whittle_flow_link *link, void *what)
{
    (void)what;
    return whittle_flow_hear(link) || link->fd < 0;
}

/* The queue is full, and the edge blocks: with the lock held, and without it while this thread sleeps. */
static void whittle_flow_wait_for_place(struct whittle_flow_link *link, uint64_t until)
{
    /* This thread hears what the connection says, so the carrier need not look. */
    link->armed = false;
    link->tick_at = 0;
    whittle_flow_push(link, true);
    if (!whittle_flow_full(link, 0, 0) || (link->fd >= 0 && !link->blocked && whittle_flow_stay_awake(link, whittle_flow_hears_any, NULL)))
        return;
    const int fd = link->fd;
    const bool writes = link->blocked;
    link->asleep = true;
    pthread_mutex_unlock(&link->lock);
    whittle_flow_await(link, fd, writes, until);
    pthread_mutex_lock(&link->lock);
    link->asleep = link->blocked = false;
    whittle_flow_hear(link);
}

/* Waits until one more may wait in the queue, as long as somebody may still come for it; with the lock held. */
static void whittle_flow_place(struct whittle_flow_link *link)
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
    if (link->edge->full == WHITTLE_FLOW_BLOCK)
        whittle_flow_place(link);
    const bool over = link->refused || link->ended || link->abandoned;
    if (over) {
        link->sender->step = 0;
        whittle_flow_gather(link);
    } else {
        if (link->fd >= 0 && (link->armed || whittle_net_now() - link->last_write > WHITTLE_FLOW_IDLE_AFTER) && link->edge->batch_within == 0)
            whittle_flow_push(link, false);
        else if (link->armed && link->frontier.count + link->gather_items <= whittle_flow_ledger_queued(link->page))
            whittle_flow_push(link, false);     /* a batch is full before its time */
        if (!link->armed && link->fd >= 0 && whittle_flow_waiting(link) > 0)
            whittle_flow_arm(link, whittle_net_now());
    }
    pthread_mutex_unlock(&link->lock);
    return over ? WHITTLE_FLOW_IS_CLOSED : WHITTLE_FLOW_IS_SENT;
}

__attribute__((noinline)) enum whittle_flow_result whittle_flow_send_on(struct whittle_flow_sender *sender, uint64_t born)
{
    struct whittle_flow_link *const link = sender->link;
    if (__atomic_load_n(&link->watched, __ATOMIC_RELAXED))
        whittle_flow_witness(link, (const unsigned char *)whittle_flow_room(sender) - sender->step);
    if (link->through != NULL)
        return link->through->send(link, whittle_flow_room(sender), born);
    if (link->edge->transport == WHITTLE_FLOW_SHM)
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
    if (__atomic_load_n(&link->watched, __ATOMIC_RELAXED) && sender->step == 0)
        whittle_flow_witness(link, packet);
    if (link->through != NULL)
        return link->through->send(link, packet, born);
    if (link->edge->transport == WHITTLE_FLOW_SHM)
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
    if (link->through != NULL || link->edge->transport == WHITTLE_FLOW_SHM || whittle_flow_waiting(link) == 0)
        return;
    pthread_mutex_lock(&link->lock);
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
    if (link->through != NULL) {
        link->through->end(link);
        return;
    }
    pthread_mutex_lock(&link->lock);
    if (!link->ended)
        link->closed_at = whittle_net_now();
    link->ended = true;
    sender->step = 0;
    if (link->edge->transport == WHITTLE_FLOW_SHM)
        whittle_flow_shared_end(link);
    else
        whittle_flow_push(link, false);
    pthread_mutex_unlock(&link->lock);
}
