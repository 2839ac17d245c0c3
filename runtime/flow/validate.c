/* SPDX-License-Identifier: MIT-0 */
/*
 * A packet that has come whole: is it a value of its type, and does it come in time? In goes its bytes, out comes the
 * packet as the stage sees it, or NULL: counted, and gone.
 */
#include "internal.h"
#include <string.h>

static void whittle_flow_done_with(struct whittle_flow_link *link)
{
    whittle_flow_set(link, WHITTLE_FLOW_DONE_AT, whittle_flow_counter(link->page, WHITTLE_FLOW_AT));
}

void whittle_flow_release(struct whittle_flow_link *link)
{
    if (link->release)
        link->edge->type->release(link->private);
    link->release = false;
    if (link->receiver != NULL && link->receiver->behind != 0) {
        __atomic_store_n(link->at, whittle_flow_position(link) + link->receiver->behind, __ATOMIC_RELAXED);
        link->receiver->behind = 0;
    }
    if (whittle_flow_ledger_hand(link->page) == 0)
        return;
    whittle_flow_done_with(link);
    if (link->functions != NULL)
        link->functions->done(link);
    if (whittle_flow_transport_of(link->edge)->shared)
        whittle_flow_shared_done(link);
}

const void *whittle_flow_faulty(struct whittle_flow_link *link)
{
    const uint64_t faults = whittle_flow_counter(link->page, WHITTLE_FLOW_FAULTY);
    whittle_flow_set(link, WHITTLE_FLOW_FAULTY, faults + 1);
    whittle_flow_done_with(link);
    if (faults == 0)
        whittle_flow_log(link, "a packet came that is no value of type `%s`, and was dropped (said once, counted always)",
            link->edge->type->name);
    return NULL;
}

uint64_t whittle_flow_latency(struct whittle_flow_link *link, uint64_t born)
{
    const uint64_t now = whittle_flow_now(link->edge->one_clock), latency = now > born ? now - born : 0;
    unsigned bucket = 0;
    while (bucket + 1 < WHITTLE_FLOW_LEDGER_BUCKETS && latency >> bucket != 0)
        bucket++;
    __atomic_store_n(&link->page->latency[bucket], link->page->latency[bucket] + 1, __ATOMIC_RELAXED);
    whittle_flow_count(link, WHITTLE_FLOW_LATENCY_COUNT, 1);
    whittle_flow_count(link, WHITTLE_FLOW_LATENCY_SUM, latency);
    if (latency > whittle_flow_counter(link->page, WHITTLE_FLOW_LATENCY_LARGEST))
        whittle_flow_set(link, WHITTLE_FLOW_LATENCY_LARGEST, latency);
    return latency;
}

const void *whittle_flow_validate(struct whittle_flow_link *link, const void *packet, uint64_t bytes, uint64_t born)
{
    const struct whittle_flow_edge *const edge = link->edge;
    const struct whittle_flow_type *const type = edge->type;
    if (type->fixed == 0) {
        memset(link->private, 0, type->size);
        if (!type->decode(link->private, packet, bytes))
            return whittle_flow_faulty(link);
        packet = link->private;
        link->release = type->release != NULL;
    }
    if (!whittle_flow_is_valid(type, packet)) {
        if (link->release)
            type->release(link->private);
        link->release = false;
        return whittle_flow_faulty(link);
    }
    link->born = born;
    if (edge->stamped)
        return whittle_flow_in_time(link, packet, born) ? packet : NULL;
    if (born != 0)
        whittle_flow_latency(link, born);   /* one of some */
    return packet;
}

/* Counts a stamped packet's age. False: it is too old, and gone. */
bool whittle_flow_in_time(struct whittle_flow_link *link, const void *packet, uint64_t born)
{
    const struct whittle_flow_edge *const edge = link->edge;
    const uint64_t latency = whittle_flow_latency(link, born);
    if (edge->deadline == 0 || latency <= edge->deadline)
        return true;
    whittle_flow_count(link, WHITTLE_FLOW_MISSES, 1);
    whittle_flow_advise(edge->on_miss, link, packet, latency);
    if (!edge->deadline_drops)
        return true;
    whittle_flow_count(link, WHITTLE_FLOW_LATE, 1);
    whittle_flow_release(link);
    return false;
}

/* A packet's bytes as a message brings them: exactly so many as it says, or it is at fault. */
const void *whittle_flow_validate_body(struct whittle_flow_link *link, const void *body, uint64_t bytes, uint64_t born)
{
    const struct whittle_flow_type *const type = link->edge->type;
    if (type->fixed == 0)
        return bytes > type->largest ? whittle_flow_faulty(link) : whittle_flow_validate(link, body, bytes, born);
    if (bytes < type->fixed || bytes > type->size)
        return whittle_flow_faulty(link);
    memcpy(link->private, body, bytes);
    if (bytes != (type->used != NULL ? type->used(link->private) : type->size))
        return whittle_flow_faulty(link);
    return whittle_flow_validate(link, link->private, bytes, born);
}
