/* SPDX-License-Identifier: MIT-0 */
/*
 * A packet enters the queue: looked at, paced, encoded or stamped, and let in as the edge's contract says what becomes of
 * packets when the queue is full. In goes the packet, in the room or elsewhere; out comes what became of it.
 */
#include "internal.h"
#include <endian.h>
#include <string.h>

/* Whether so many packets and bytes more, between the two middles, are over the queue's bounds; one packet may always be. */
bool whittle_flow_full(const struct whittle_flow_link *link, uint64_t packets, uint64_t bytes)
{
    const uint64_t between = whittle_flow_between(link) + packets;
    if (between > link->queue_items)
        return true;
    const uint64_t from = link->oldest ? link->taken.bytes + (link->tail - link->moved.bytes) : link->taken.bytes;
    return between > 1 && whittle_flow_position(link) - from + bytes > link->queue_bytes;
}

static void whittle_flow_drop_one(struct whittle_flow_link *link)
{
    link->tail += whittle_flow_record_bytes(link, whittle_flow_ring_place(link, link->tail));
    whittle_flow_count(link, WHITTLE_FLOW_FULL_OLDEST, 1);
    whittle_flow_drop_sample(link, link->moved.count);
}

/* A place in a queue that drops. */
static bool whittle_flow_make_place(struct whittle_flow_link *link, const void *packet, uint64_t bytes)
{
    bool place = true;
    pthread_mutex_lock(&link->lock);
    if (whittle_flow_full(link, 1, bytes))
        whittle_flow_push(link, false);
    if (whittle_flow_full(link, 1, bytes)) {
        whittle_flow_advise(link->edge->on_full, link, packet, 0);
        place = link->edge->full == WHITTLE_FLOW_DROP_OLDEST;
        while (place && whittle_flow_full(link, 1, bytes) && link->tail < whittle_flow_position(link))
            whittle_flow_drop_one(link);
        if (!place)
            whittle_flow_count(link, WHITTLE_FLOW_FULL_NEWEST, 1);
    }
    while (link->edge->latest && link->tail < whittle_flow_position(link))
        whittle_flow_drop_one(link);
    pthread_mutex_unlock(&link->lock);
    return place;
}

/* Counted; then the flow goes on, or this process ends, as the edge's contract says. */
enum whittle_flow_result whittle_flow_fault(struct whittle_flow_link *link)
{
    const bool stops = link->edge->faulty_stops;
    const uint64_t faults = whittle_flow_counter(link->page, WHITTLE_FLOW_FAULTY);
    whittle_flow_set(link, WHITTLE_FLOW_FAULTY, faults + 1);
    if (faults == 0)
        whittle_flow_log(link, "a packet is no value of type `%s`, and was not sent: look at its counts, strings, booleans and ranges "
            "(%s)", link->edge->type->name, stops ? "the flow ends, as its contract says" : "said once, counted always");
    if (!stops)
        return WHITTLE_FLOW_IS_FAULTY;
    link->loop->lost = true;
    whittle_flow_close(link->sender);
    whittle_flow_ask_to_end();
    return WHITTLE_FLOW_IS_CLOSED;
}

/* The packet's bytes, in the ring behind their prefix; 0: at fault. */
static uint64_t whittle_flow_write_record(const struct whittle_flow_link *link, unsigned char *record, const void *packet)
{
    unsigned char *const body = record + link->prefix;
    const uint64_t bytes = whittle_flow_write_body(link, body, packet);
    if (bytes == 0)
        return 0;
    if (link->edge->type->fixed == 0) {
        const uint32_t length = htole32((uint32_t)bytes);
        memcpy(body - 4, &length, 4);
    }
    const uint64_t total = link->prefix + bytes, padded = (total + link->align - 1) / link->align * link->align;
    memset(record + total, 0, padded - total);
    return padded;
}

static void whittle_flow_stamp(const struct whittle_flow_link *link, unsigned char *record, uint64_t born)
{
    if (!link->edge->stamped)
        return;
    const uint64_t stamp = htole64(born != 0 ? born : whittle_flow_now(link->edge->one_clock));
    memset(record, 0, link->prefix);
    memcpy(record, &stamp, sizeof stamp);
}

enum whittle_flow_result whittle_flow_append(struct whittle_flow_link *link, const void *packet, uint64_t born)
{
    if (link->refused || link->ended || link->stopped) {
        whittle_flow_count(link, WHITTLE_FLOW_REFUSED, 1);
        return whittle_flow_closed(link);
    }
    const uint64_t at = whittle_flow_position(link);
    unsigned char *const record = whittle_flow_ring_place(link, at);
    whittle_flow_advise(link->edge->on_send, link, packet, 0);
    whittle_flow_stamp(link, record, born);
    const uint64_t bytes = whittle_flow_write_record(link, record, packet);
    if (bytes == 0)
        return whittle_flow_fault(link);
    if (!whittle_flow_rate(link, bytes)) {
        whittle_flow_count(link, WHITTLE_FLOW_RATE, 1);
        return WHITTLE_FLOW_IS_DROPPED;
    }
    if (link->edge->full != WHITTLE_FLOW_BLOCK && !whittle_flow_make_place(link, packet, bytes))
        return WHITTLE_FLOW_IS_DROPPED;
    __atomic_store_n(&link->turn, link->turn + 1, __ATOMIC_RELAXED);
    if (link->stride == 0)
        __atomic_store_n(&link->page->counter[WHITTLE_FLOW_QUEUED], link->page->counter[WHITTLE_FLOW_QUEUED] + 1, __ATOMIC_RELEASE);
    __atomic_store_n(link->at, at + bytes, __ATOMIC_RELEASE);
    __atomic_store_n(&link->turn, link->turn + 1, __ATOMIC_RELEASE);
    if (link->edge->type->fixed != 0)
        link->sender->base = (uintptr_t)whittle_flow_ring_place(link, at + bytes) + link->prefix;
    return WHITTLE_FLOW_IS_SENT;
}
