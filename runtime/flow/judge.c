/* SPDX-License-Identifier: MIT-0 */
/*
 * A packet that has come whole: is it a value of its type, and does it come in time? In goes its bytes, out comes the
 * packet as the stage sees it, or NULL: counted, and gone.
 */
#include "parts.h"
#include <string.h>

static void whittle_done_with(struct whittle_link *link)
{
    whittle_set(link, WHITTLE_DONE_AT, whittle_counter(link->page, WHITTLE_AT));
}

void whittle_release(struct whittle_link *link)
{
    if (link->release)
        link->edge->type->release(link->private);
    link->release = false;
    if (link->receiver != NULL && link->receiver->behind != 0) {
        __atomic_store_n(link->at, whittle_position(link) + link->receiver->behind, __ATOMIC_RELAXED);
        link->receiver->behind = 0;
    }
    if (whittle_ledger_hand(link->page) == 0)
        return;
    whittle_done_with(link);
    if (link->through != NULL)
        link->through->done(link);
    if (link->edge->transport == WHITTLE_SHM)
        whittle_shared_done(link);
}

const void *whittle_faulty(struct whittle_link *link)
{
    const uint64_t faults = whittle_counter(link->page, WHITTLE_FAULTY);
    whittle_set(link, WHITTLE_FAULTY, faults + 1);
    whittle_done_with(link);
    if (faults == 0)
        whittle_say(link, "a packet came that is no value of type `%s`, and was dropped (said once, counted always)",
            link->edge->type->name);
    return NULL;
}

uint64_t whittle_latency(struct whittle_link *link, uint64_t born)
{
    const uint64_t now = whittle_now(link->edge->one_clock), latency = now > born ? now - born : 0;
    unsigned bucket = 0;
    while (bucket + 1 < WHITTLE_LEDGER_BUCKETS && latency >> bucket != 0)
        bucket++;
    __atomic_store_n(&link->page->latency[bucket], link->page->latency[bucket] + 1, __ATOMIC_RELAXED);
    whittle_count(link, WHITTLE_LATENCY_COUNT, 1);
    whittle_count(link, WHITTLE_LATENCY_SUM, latency);
    if (latency > whittle_counter(link->page, WHITTLE_LATENCY_LARGEST))
        whittle_set(link, WHITTLE_LATENCY_LARGEST, latency);
    return latency;
}

const void *whittle_judge(struct whittle_link *link, const void *packet, uint64_t bytes, uint64_t born)
{
    const struct whittle_edge *const edge = link->edge;
    const struct whittle_type *const type = edge->type;
    if (type->fixed == 0) {
        memset(link->private, 0, type->size);
        if (!type->decode(link->private, packet, bytes))
            return whittle_faulty(link);
        packet = link->private;
        link->release = type->release != NULL;
    } else if (type->valid != NULL && !type->valid(packet))
        return whittle_faulty(link);
    link->born = born;
    return !edge->stamped || whittle_in_time(link, packet, born) ? packet : NULL;
}

/* Counts a stamped packet's age. False: it is too old, and gone. */
bool whittle_in_time(struct whittle_link *link, const void *packet, uint64_t born)
{
    const struct whittle_edge *const edge = link->edge;
    const uint64_t latency = whittle_latency(link, born);
    if (edge->deadline == 0 || latency <= edge->deadline)
        return true;
    whittle_count(link, WHITTLE_MISSES, 1);
    whittle_advise(edge->on_miss, link, packet, latency);
    if (!edge->deadline_drops)
        return true;
    whittle_count(link, WHITTLE_LATE, 1);
    whittle_release(link);
    return false;
}
