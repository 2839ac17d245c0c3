/* SPDX-License-Identifier: MIT-0 */
/*
 * Sending: what whittle_flow_send leaves to do once a packet stands in the ring. An idle edge writes at once; a busy one lets
 * packets gather until a batch is full, and the carrier looks for what is left over; a full one waits for its receiver.
 */
#include "parts.h"
#include <string.h>
#include <time.h>

enum { WHITTLE_FLOW_IDLE_AFTER = 5000 };     /* nanoseconds without a write */

/* The room's base for positions up to the end of the ring's second image; with the lock held. */
void whittle_flow_turn_ring(struct whittle_flow_link *link)
{
    const uint64_t at = whittle_flow_position(link), turn = at - at % link->ring.size;
    if (link->fast)
        link->sender->base = (uintptr_t)link->ring.data - (uintptr_t)turn;
    link->turn_at = turn + 2 * link->ring.size - 2 * (uint64_t)link->record;
}

/* The queue is full, and the edge blocks. Returns with the lock released. */
static void whittle_flow_wait_for_place(struct whittle_flow_link *link)
{
    whittle_flow_count(link, WHITTLE_FLOW_WAITS, 1);
    whittle_flow_advise(link->edge->on_full, link, NULL, 0);
    if (link->fd >= 0) {
        /* A queue of bytes has no bound of packets: one less is worth a look. */
        const uint64_t waiting = whittle_flow_waiting(link), less = waiting > 0 ? waiting - 1 : 0;
        whittle_flow_push(link, true, less < link->queue_items ? less : link->queue_items);
        pthread_mutex_unlock(&link->lock);
        return;
    }
    pthread_mutex_unlock(&link->lock);
    whittle_flow_await_news(link, -1);
}

/* A packet has been added: decides whether it goes now. */
static bool whittle_flow_settle(struct whittle_flow_link *link)
{
    if ((!link->fast || __atomic_load_n(&link->watched, __ATOMIC_RELAXED)) && whittle_flow_position(link) < __atomic_load_n(&link->limit_at, __ATOMIC_RELAXED)
        && link->page->counter[WHITTLE_FLOW_QUEUED] < __atomic_load_n(&link->limit_count, __ATOMIC_RELAXED))
        return true;    /* and the room's base holds up to there */
    if (!link->owned) {
        link->owner = pthread_self();
        __atomic_store_n(&link->owned, true, __ATOMIC_RELEASE);
    }
    for (;;) {
        pthread_mutex_lock(&link->lock);
        whittle_flow_turn_ring(link);
        const bool over = link->refused || link->ended || link->abandoned;
        if (over) {
            link->sender->step = 0;
            whittle_flow_gather(link);
            pthread_mutex_unlock(&link->lock);
            return false;
        }
        if (link->fd >= 0 && (link->armed || whittle_net_now() - link->last_write > WHITTLE_FLOW_IDLE_AFTER) && link->edge->batch_within == 0)
            whittle_flow_push(link, false, 0);
        else if (link->armed && link->frontier.count + link->gather_items <= whittle_flow_ledger_queued(link->page))
            whittle_flow_push(link, false, 0);   /* a batch is full before its time */
        if (link->edge->full == WHITTLE_FLOW_BLOCK && whittle_flow_full(link, 0, 0)) {
            whittle_flow_wait_for_place(link);
            continue;
        }
        if (!link->armed && link->fd >= 0 && whittle_flow_waiting(link) > 0)
            whittle_flow_arm(link, whittle_net_now());
        pthread_mutex_unlock(&link->lock);
        return true;
    }
}

__attribute__((noinline)) bool whittle_flow_send_on(struct whittle_flow_sender *sender, uint64_t born)
{
    struct whittle_flow_link *const link = sender->link;
    if (__atomic_load_n(&link->watched, __ATOMIC_RELAXED))
        whittle_flow_witness(link, (const unsigned char *)whittle_flow_room(sender) - sender->step);
    if (link->through != NULL)
        return link->through->send(link, whittle_flow_room(sender), born);
    if (link->edge->transport == WHITTLE_FLOW_SHM)
        return whittle_flow_shared_send(link, NULL, born);
    if (sender->step == 0) {
        const enum whittle_flow_fate fate = whittle_flow_append(link, whittle_flow_room(sender), born);
        if (fate != WHITTLE_FLOW_QUEUED_NOW)
            return fate == WHITTLE_FLOW_DROPPED;
    }
    return whittle_flow_settle(link);
}

bool whittle_flow_send_copy(struct whittle_flow_sender *sender, const void *packet, uint64_t born)
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
    const enum whittle_flow_fate fate = whittle_flow_append(link, packet, born);
    if (fate != WHITTLE_FLOW_QUEUED_NOW)
        return fate == WHITTLE_FLOW_DROPPED;
    return whittle_flow_settle(link);
}

/* False: who has the lock waits for the connection, and writes as soon as it may: to wait for both may be for ever. */
static bool whittle_flow_lock_unless_stuck(struct whittle_flow_link *link)
{
    const struct timespec breath = {0, 10000};
    while (!__atomic_load_n(&link->stuck, __ATOMIC_RELAXED)) {
        if (pthread_mutex_trylock(&link->lock) == 0)
            return true;
        nanosleep(&breath, NULL);
    }
    return false;
}

static void whittle_flow_flush_one(struct whittle_flow_link *link)
{
    if (link->through != NULL || link->edge->transport == WHITTLE_FLOW_SHM || whittle_flow_waiting(link) == 0 || !whittle_flow_lock_unless_stuck(link))
        return;
    whittle_flow_push(link, false, 0);
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
        whittle_flow_push(link, false, 0);
    pthread_mutex_unlock(&link->lock);
}
