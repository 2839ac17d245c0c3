/* SPDX-License-Identifier: MIT-0 */
/*
 * Sending through shared memory: the packet stands in its slot already; it is released by moving the head, and a receiver
 * that sleeps is woken. What the receiver says of itself is looked at before it is used.
 */
#include "internal.h"
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum { WHITTLE_FLOW_SPINS = 300, WHITTLE_FLOW_YIELDS = 1000 };

/* Where the stage writes the next packet. */
void whittle_flow_shared_room(struct whittle_flow_link *link)
{
    link->sender->base = link->edge->type->fixed == 0 ? (uintptr_t)link->private
        : (uintptr_t)whittle_flow_slot(link, whittle_flow_position(link)) + WHITTLE_FLOW_SLOT_HEAD;
}

/* Slots before it are free, as far as is known: the stage's thread looks, and the event loop's changes it when a receiver comes. */
static uint64_t whittle_flow_shared_seen(const struct whittle_flow_link *link)
{
    return __atomic_load_n(&link->seen, __ATOMIC_RELAXED);
}

/* A slot's packet's number in the edge's sequence. */
uint64_t whittle_flow_shared_sequence(const struct whittle_flow_link *link, uint64_t slot)
{
    const struct whittle_flow_ledger *const page = link->page;
    return whittle_flow_counter(page, WHITTLE_FLOW_QUEUED) + slot - whittle_flow_counter(page, WHITTLE_FLOW_MARK)
        - whittle_flow_counter(page, WHITTLE_FLOW_FULL_OLDEST) - whittle_flow_counter(page, WHITTLE_FLOW_ABANDONED);
}

/* The packets of the sequence that the receiver has taken. */
uint64_t whittle_flow_shared_count(const struct whittle_flow_link *link)
{
    const uint64_t taken = __atomic_load_n(&link->shared->taken, __ATOMIC_ACQUIRE) >> 1;
    const bool sound = taken >= whittle_flow_shared_seen(link) && taken <= whittle_flow_position(link);
    return whittle_flow_shared_sequence(link, sound ? taken : whittle_flow_shared_seen(link));
}

/* Looks how far the receiver is. False: what it says cannot be. */
static bool whittle_flow_shared_see(struct whittle_flow_link *link, uint64_t *word)
{
    *word = __atomic_load_n(&link->shared->taken, __ATOMIC_ACQUIRE);
    const uint64_t taken = *word >> 1;
    if (taken >= whittle_flow_shared_seen(link) && taken <= whittle_flow_position(link)) {
        if (taken != whittle_flow_shared_seen(link))
            whittle_flow_trace(link, "hears count=%llu", (unsigned long long)whittle_flow_shared_sequence(link, taken));
        __atomic_store_n(&link->seen, taken, __ATOMIC_RELAXED);
        /* Of an earlier process's packets this ring says nothing. */
        if (whittle_flow_shared_sequence(link, taken) > link->crashed)
            whittle_flow_set(link, WHITTLE_FLOW_ACKNOWLEDGED, whittle_flow_shared_sequence(link, taken));
        return true;
    }
    __atomic_store_n(&link->shared->taken, whittle_flow_shared_seen(link) << 1, __ATOMIC_SEQ_CST);
    whittle_flow_count(link, WHITTLE_FLOW_STRANGERS, 1);
    pthread_mutex_lock(&link->lock);
    whittle_flow_lose(link, "the receiver took what was not there");
    pthread_mutex_unlock(&link->lock);
    return false;
}

/* Slots from here on may be in use by the receiver. */
static uint64_t whittle_flow_shared_freed(const struct whittle_flow_link *link, uint64_t word)
{
    const uint64_t copying = __atomic_load_n(&link->shared->copying, __ATOMIC_RELAXED), taken = word >> 1;
    return (word & 1) != 0 && copying < taken && taken - copying <= link->slot_count ? copying : taken;
}

/* Who has taken all and knows of the end may go; who has only taken all may lose its connection, and would wait for the end. */
static bool whittle_flow_shared_end_heard(const struct whittle_flow_link *link)
{
    return link->ended && __atomic_load_n(&link->shared->end_heard, __ATOMIC_SEQ_CST) != 0
        && __atomic_load_n(&link->shared->taken, __ATOMIC_ACQUIRE) >> 1 == whittle_flow_position(link);
}

/* Hears the receiver's bell, its refusal, or its death; with the lock held. */
void whittle_flow_shared_listen(struct whittle_flow_link *link)
{
    char said[64];
    if (link->fd < 0)
        return;
    const ssize_t came = recv(link->fd, said, sizeof said, MSG_DONTWAIT);
    if (came > 0 && memchr(said, 'r', (size_t)came) != NULL) {
        link->refused = true;
        whittle_flow_trace(link, "hears refusal");
    } else if (came == 0 || (came < 0 && errno != EAGAIN && errno != EINTR)) {
        link->end_heard |= whittle_flow_shared_end_heard(link);
        whittle_flow_lose(link, came == 0 ? "closed by the receiver" : strerror(errno));
    }
}

/* Rings the receiver's bell; with the lock held. Who cannot hear it may have said something before. */
static void whittle_flow_shared_ring(struct whittle_flow_link *link)
{
    const char ring = 'd';
    if (link->fd < 0 || send(link->fd, &ring, 1, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0 || errno == EAGAIN)
        return;
    const int problem = errno;
    whittle_flow_shared_listen(link);
    whittle_flow_lose(link, strerror(problem));
}

static bool whittle_flow_shared_has_room(struct whittle_flow_link *link, void *most)
{
    uint64_t word;
    return whittle_flow_shared_see(link, &word) && whittle_flow_position(link) - whittle_flow_shared_seen(link) <= *(const uint64_t *)most;
}

/* Sleeps until at most `most` packets are in the ring, or something else changes, or until a time. */
static void whittle_flow_shared_await(struct whittle_flow_link *link, uint64_t most, uint64_t until)
{
    for (int spin = 0; spin < WHITTLE_FLOW_SPINS; spin++) {
        if (whittle_flow_shared_has_room(link, &most))
            return;
        whittle_net_relax();
    }
    if (whittle_flow_spin(link, whittle_flow_shared_has_room, &most))
        return;
    __atomic_store_n(&link->shared->sender_sleeps, 1, __ATOMIC_SEQ_CST);
    if (whittle_flow_shared_has_room(link, &most))
        return;
    pthread_mutex_lock(&link->lock);
    const int fd = link->fd;
    pthread_mutex_unlock(&link->lock);
    whittle_flow_fan_rest(link);
    whittle_flow_await(link, fd, false, until);
    whittle_flow_fan_resume(link);
    pthread_mutex_lock(&link->lock);
    whittle_flow_shared_listen(link);
    pthread_mutex_unlock(&link->lock);
}

static void whittle_flow_shared_drop_oldest(struct whittle_flow_link *link)
{
    uint64_t word;
    if (!whittle_flow_shared_see(link, &word) || word >> 1 == whittle_flow_position(link))
        return;
    pthread_mutex_lock(&link->lock);    /* a receiver may be about to begin */
    if (__atomic_compare_exchange_n(&link->shared->taken, &word, ((word >> 1) + 1) << 1 | (word & 1), false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
        __atomic_store_n(&link->seen, (word >> 1) + 1, __ATOMIC_RELAXED);
        whittle_flow_count(link, WHITTLE_FLOW_FULL_OLDEST, 1);
        whittle_flow_trace(link, "takes back");
    }
    pthread_mutex_unlock(&link->lock);
}

/* Place for one more, as the contract says. False: the packet is dropped, or the edge is over. */
static bool whittle_flow_shared_place(struct whittle_flow_link *link, const void *packet)
{
    uint64_t most = link->queue_items - 1, word, since = 0;
    if (whittle_flow_position(link) - whittle_flow_shared_seen(link) <= most && !link->oldest)
        return true;
    for (; !whittle_flow_shared_has_room(link, &most);) {
        if (since == 0) {
            since = whittle_net_now();
            whittle_flow_count(link, WHITTLE_FLOW_WAITS, link->edge->full == WHITTLE_FLOW_BLOCK);
            whittle_flow_advise(link->edge->on_full, link, packet, 0);
        }
        if (link->edge->full == WHITTLE_FLOW_DROP_NEWEST)
            return false;
        if (link->edge->full == WHITTLE_FLOW_DROP_OLDEST)
            whittle_flow_shared_drop_oldest(link);
        else {
            const uint64_t until = whittle_flow_blocked_until(link, since);
            link->stopped = until != 0 && whittle_net_now() >= until;
            if (!link->stopped)
                whittle_flow_shared_await(link, most, until);
        }
        if (link->refused || link->abandoned || link->stopped)
            return false;
    }
    /* A slot that is just being copied is not written over; a receiver that never ends to copy costs the newest. */
    for (int turn = 0; link->oldest && turn < WHITTLE_FLOW_YIELDS; turn++) {
        if (whittle_flow_shared_see(link, &word) && whittle_flow_position(link) + 1 - whittle_flow_shared_freed(link, word) < link->slot_count)
            return true;
        sched_yield();
    }
    return !link->oldest;
}

/* elsewhere: NULL: the packet stands in the room. */
enum whittle_flow_result whittle_flow_shared_send(struct whittle_flow_link *link, const void *elsewhere, uint64_t born)
{
    const struct whittle_flow_edge *const edge = link->edge;
    if (link->refused || link->ended || link->stopped) {
        whittle_flow_count(link, WHITTLE_FLOW_REFUSED, 1);
        return whittle_flow_closed(link);
    }
    const uint64_t at = whittle_flow_position(link);
    unsigned char *const slot = whittle_flow_slot(link, at);
    const void *const packet = elsewhere != NULL ? elsewhere : (const void *)link->sender->base;
    whittle_flow_advise(edge->on_send, link, packet, 0);
    struct whittle_flow_slot_head head = {0, 0, 0};
    if (edge->stamped || at % WHITTLE_FLOW_SAMPLED == 0)
        head.born = born != 0 ? born : whittle_flow_now(edge->one_clock);
    head.bytes = (uint32_t)whittle_flow_write_body(link, slot + WHITTLE_FLOW_SLOT_HEAD, packet);
    if (head.bytes == 0)
        return whittle_flow_fault(link);
    if (!whittle_flow_rate(link, head.bytes)) {
        whittle_flow_count(link, WHITTLE_FLOW_RATE, 1);
        return WHITTLE_FLOW_IS_DROPPED;
    }
    if (!whittle_flow_shared_place(link, packet)) {
        const bool over = link->refused || link->abandoned || link->stopped;
        whittle_flow_count(link, over ? WHITTLE_FLOW_REFUSED : WHITTLE_FLOW_FULL_NEWEST, 1);
        return over ? whittle_flow_closed(link) : WHITTLE_FLOW_IS_DROPPED;
    }
    memcpy(slot, &head, sizeof head);
    __atomic_store_n(link->at, at + 1, __ATOMIC_RELAXED);
    whittle_flow_set(link, WHITTLE_FLOW_SENT, whittle_flow_shared_sequence(link, at + 1));
    whittle_flow_trace(link, "sends to=%llu", (unsigned long long)whittle_flow_shared_sequence(link, at + 1));
    __atomic_store_n(&link->shared->head, at + 1, __ATOMIC_SEQ_CST);
    whittle_flow_shared_room(link);
    if (__atomic_load_n(&link->shared->receiver_sleeps, __ATOMIC_SEQ_CST) != 0
        && __atomic_exchange_n(&link->shared->receiver_sleeps, 0, __ATOMIC_SEQ_CST) != 0) {
        pthread_mutex_lock(&link->lock);
        whittle_flow_shared_ring(link);
        pthread_mutex_unlock(&link->lock);
    }
    return WHITTLE_FLOW_IS_SENT;
}

/* No packet follows; with the lock held. */
void whittle_flow_shared_end(struct whittle_flow_link *link)
{
    whittle_flow_trace(link, "sends end");
    __atomic_store_n(&link->shared->ended, 1, __ATOMIC_SEQ_CST);
    whittle_flow_shared_ring(link);
}

/* A channel's subscriber has left: its successor begins behind all that stands here; with the lock held. */
void whittle_flow_shared_forget(struct whittle_flow_link *link)
{
    const uint64_t at = whittle_flow_position(link);
    __atomic_store_n(&link->seen, at, __ATOMIC_RELAXED);
    __atomic_store_n(&link->shared->taken, at << 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&link->shared->copying, 0, __ATOMIC_SEQ_CST);
}

uint64_t whittle_flow_shared_between(const struct whittle_flow_link *link)
{
    return whittle_flow_position(link) - whittle_flow_shared_seen(link);
}

/* At the end: whether all is taken, and what else has changed. Asks to be woken, where it is not. */
void whittle_flow_shared_drain(struct whittle_flow_link *link)
{
    uint64_t none = 0;
    pthread_mutex_lock(&link->lock);
    whittle_flow_shared_listen(link);
    pthread_mutex_unlock(&link->lock);
    __atomic_store_n(&link->shared->sender_sleeps, 1, __ATOMIC_SEQ_CST);
    if (!whittle_flow_shared_has_room(link, &none))
        return;
    pthread_mutex_lock(&link->lock);
    link->end_heard |= link->met && whittle_flow_shared_end_heard(link);
    pthread_mutex_unlock(&link->lock);
}
