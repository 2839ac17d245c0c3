/* SPDX-License-Identifier: MIT-0 */
/*
 * Publishing, at a sender of a channel: in goes a packet, out it goes to all who have subscribed, and into the history that the next ones
 * get first (fan.c). It is encoded once for all whose edges have one encoding and who select the same fields of it, and each subscriber's
 * filter is asked whether it is wanted. A packet by itself is written to each at once; where packets follow each other sooner than that takes, they gather.
 */
#include "fan.h"
#include <stdlib.h>
#include <string.h>

/* The cost of one subscriber at most: what took longer waited for a processor, or for a slow one. */
static const uint64_t whittle_flow_fan_lull = 1000000u, whittle_flow_fan_cost_most = 10000u;

/* A packet as it travels in one form: encoded where it has not been yet. */
static const struct whittle_flow_written *whittle_flow_write_once(struct whittle_flow_written *written, const void *packet)
{
    if (written->packet != packet) {
        written->bytes = whittle_flow_write_as(written->type, written->body, packet);
        written->packet = packet;
    }
    return written;
}

/* The packet that a subscriber gets of one that is a value of its type: what it selects, taken where nobody's was yet. */
static const void *whittle_flow_take_once(struct whittle_flow_written *written, const void *packet)
{
    if (written->projection == NULL)
        return packet;
    if (written->whole != packet) {
        written->projection->take(written->part, packet);
        written->whole = packet;
    }
    return written->part;
}

/* Whether a filter may look at a packet, and fields may be taken from it: it is a value of its type. */
static bool whittle_flow_is_sound(struct whittle_flow_link *link, const void *packet)
{
    const struct whittle_flow_type *const type = link->whole->type;
    if (type->fixed == 0)
        return whittle_flow_write_once(link->whole, packet)->bytes != 0;
    const uint64_t bytes = type->used != NULL ? type->used(packet) : type->size;
    return bytes >= type->fixed && bytes <= type->size && whittle_flow_is_valid(type, packet);
}

/* Whether packets gather for a subscriber, and the event loop writes them: its sender has more to give right now. */
bool whittle_flow_fan_gathers(const struct whittle_flow_link *link, uint64_t now)
{
    const struct whittle_flow_backlog *const backlog = link->fan != NULL ? link->fan->backlog : NULL;
    return backlog != NULL && __atomic_load_n(&backlog->busy, __ATOMIC_RELAXED)
        && now < __atomic_load_n(&backlog->ended, __ATOMIC_RELAXED) + whittle_flow_fan_lull;
}

/* A packet is published, or has been: whether the next one comes sooner than this one took, if each subscriber got it at once. */
static void whittle_flow_fan_begins(struct whittle_flow_backlog *backlog, uint64_t now)
{
    __atomic_store_n(&backlog->busy, now - backlog->ended < backlog->cost, __ATOMIC_RELAXED);
    if (backlog->busy)
        __atomic_store_n(&backlog->ended, now, __ATOMIC_RELAXED);
}

static void whittle_flow_fan_ends(const struct whittle_flow_fan *fan, uint64_t begun)
{
    struct whittle_flow_backlog *const backlog = fan->backlog;
    const uint64_t now = whittle_net_now(), took = now - begun, most = whittle_flow_fan_cost_most * fan->count;
    if (!backlog->busy)
        backlog->cost = took < most ? took : most;
    __atomic_store_n(&backlog->ended, now, __ATOMIC_RELAXED);
}

/* One subscriber gets what it wants of a packet, where it wants any. */
static enum whittle_flow_result whittle_flow_give(struct whittle_flow_sender *sender, const void *packet, uint64_t born)
{
    struct whittle_flow_link *const link = sender->link;
    const bool filtered = whittle_flow_is_filtered(link), sound = (!filtered && sender->projection == NULL) || whittle_flow_is_sound(link, packet);
    if (filtered && sound && !whittle_flow_is_wanted(link, packet)) {
        whittle_flow_count(link, WHITTLE_FLOW_FILTERED, 1);
        whittle_flow_trace(link, "filters");
        return WHITTLE_FLOW_IS_DROPPED;
    }
    if (sender->projection != NULL && !sound)
        return whittle_flow_fault(link);
    const void *const given = whittle_flow_take_once(link->written, packet);
    if (link->edge->type->fixed == 0 && link->fan->count > 1)
        whittle_flow_write_once(link->written, given);  /* what is its own image is copied from where it stands */
    return whittle_flow_send_copy(sender, given, born);
}

/* Keeps a packet for those who come later. One at fault is kept for nobody; where memory is short, the history is. */
static void whittle_flow_remember(struct whittle_flow_fan *fan, const void *packet, uint64_t born)
{
    struct whittle_flow_backlog *const backlog = fan->backlog;
    const struct whittle_flow_written *const written = whittle_flow_write_once(fan->senders[0]->link->whole, packet);
    const uint64_t bytes = written->bytes;
    struct whittle_flow_backlog_packet *const kept = &backlog->packets[backlog->count % fan->history];
    if (bytes == 0)
        return;
    if (kept->room < bytes) {
        unsigned char *const body = realloc(kept->body, bytes);
        if (body == NULL)
            return;
        kept->body = body;
        kept->room = (uint32_t)bytes;
    }
    memcpy(kept->body, written->body, bytes);
    kept->bytes = (uint32_t)bytes;
    kept->born = born;
    backlog->count++;
}

enum whittle_flow_result whittle_flow_publish(struct whittle_flow_fan *fan, const void *packet, uint64_t born)
{
    enum whittle_flow_result best = WHITTLE_FLOW_IS_DROPPED;
    bool is_faulty = false;
    struct whittle_flow_backlog *const backlog = fan->backlog;
    pthread_mutex_lock(&backlog->lock);
    backlog->published++;
    const uint64_t begun = whittle_net_now();
    whittle_flow_fan_begins(backlog, begun);
    if (born == 0 && fan->senders[0]->edge->stamped)
        born = whittle_flow_now(fan->senders[0]->edge->one_clock);
    if (fan->history > 0)
        whittle_flow_remember(fan, packet, born);
    for (size_t n = 0; n < fan->count; n++) {
        struct whittle_flow_link *const link = fan->senders[n]->link;
        const uint64_t filtered = whittle_flow_counter(link->page, WHITTLE_FLOW_FILTERED);
        const bool is_there = link->subscribed && link->since < backlog->published && !link->refused && !link->abandoned;
        if (is_there) {
            const enum whittle_flow_result result = whittle_flow_give(fan->senders[n], packet, born);
            best = whittle_flow_better(best, result);
            is_faulty |= result == WHITTLE_FLOW_IS_FAULTY;
        }
        const bool is_given = is_there && filtered == whittle_flow_counter(link->page, WHITTLE_FLOW_FILTERED);
        /* Who records the outport sees all, whoever subscribes; and each packet whole. */
        if ((is_given ? fan->senders[n]->projection != NULL : n == 0) && __atomic_load_n(&link->watched, __ATOMIC_RELAXED))
            whittle_flow_observe(link, packet);
    }
    for (size_t n = 0; n < backlog->types; n++)
        backlog->written[n].packet = backlog->written[n].whole = NULL;
    whittle_flow_fan_ends(fan, begun);
    pthread_mutex_unlock(&backlog->lock);
    return is_faulty && best == WHITTLE_FLOW_IS_DROPPED ? WHITTLE_FLOW_IS_FAULTY : best;
}
