/* SPDX-License-Identifier: MIT-0 */
/*
 * Stages that wait for packets of several ports. In go packets as they arrive, out come those that belong together. Packets stay in
 * hand where one of each port is all that is held; else they are copied into room of the stage, which has a bound, and their places
 * in the edge are free for others. Either way the ledger counts them as in flight until the middle is done with them.
 */
#include "internal.h"
#include "wait.h"
#include <string.h>

/* A copy leaves the stage: delivered, or dropped for a reason. */
static void whittle_flow_kept_done(struct whittle_flow_kept *kept)
{
    if (!kept->done)
        whittle_flow_set(kept->from->link, WHITTLE_FLOW_KEPT, whittle_flow_counter(kept->from->link->page, WHITTLE_FLOW_KEPT) - 1);
    kept->done = true;
}

static void whittle_flow_drop_kept(struct whittle_flow_kept *kept, enum whittle_flow_counter reason)
{
    if (kept->done)
        return;
    whittle_flow_kept_done(kept);
    whittle_flow_count(kept->from->link, reason, 1);
}

/* Its place is free again, and its entry names it behind all others. */
static void whittle_flow_unkeep(struct whittle_flow_port *port, size_t n)
{
    const struct whittle_flow_kept free_one = port->kept[n];
    port->waiting--;
    memmove(&port->kept[n], &port->kept[n + 1], (port->waiting - n) * sizeof *port->kept);
    port->kept[port->waiting] = free_one;
}

static void *whittle_flow_kept_packet(const struct whittle_flow_port *port, size_t n)
{
    return (unsigned char *)port->room + port->kept[n].place * port->size;
}

/* The packet in a receiver's hand is copied, and the hand is free. Where the room is full the oldest goes, for a reason. */
static void whittle_flow_keep(struct whittle_flow_port *port, struct whittle_flow_receiver *from, const void *packet, uint64_t until, enum whittle_flow_counter reason)
{
    const struct whittle_flow_type *const type = from->edge->type;
    if (port->waiting == port->most) {
        whittle_flow_drop_kept(&port->kept[0], reason);
        whittle_flow_unkeep(port, 0);
    }
    const size_t n = port->waiting++;
    const size_t place = n == port->named ? port->named++ : port->kept[n].place;
    port->kept[n] = (struct whittle_flow_kept){until, whittle_flow_born(from), from, place, false};
    memcpy(whittle_flow_kept_packet(port, n), packet, type->fixed != 0 && type->used != NULL ? type->used(packet) : type->size);
    whittle_flow_release(from->link);
    whittle_flow_count(from->link, WHITTLE_FLOW_KEPT, 1);
}

/* A copy is shown to the middle. */
static void whittle_flow_show_kept(struct whittle_flow_port *port, size_t n)
{
    port->packet = whittle_flow_kept_packet(port, n);
    port->born = port->kept[n].born;
    port->hand = NULL;
    port->taken = n;
}

/* What stands in a hand. */
static void whittle_flow_show_hand(struct whittle_flow_port *port, struct whittle_flow_receiver *from, const void *packet)
{
    port->packet = packet;
    port->born = whittle_flow_born(from);
    port->hand = from;
}

/* The middle is done with what it was shown. */
static void whittle_flow_wait_done(struct whittle_flow_wait *wait)
{
    for (size_t n = 0; n < wait->count; n++) {
        struct whittle_flow_port *const port = &wait->ports[n];
        if (port->packet != NULL && port->hand != NULL)
            whittle_flow_release(port->hand->link);
        else if (port->packet != NULL)
            whittle_flow_kept_done(&port->kept[port->taken]);
        if (port->packet != NULL && port->hand == NULL && port->kept[port->taken].until != 0)
            whittle_flow_unkeep(port, port->taken);
        port->packet = NULL;
    }
}

static struct whittle_flow_port *whittle_flow_port_of(const struct whittle_flow_wait *wait, size_t receiver)
{
    size_t n = 0;
    while (receiver >= wait->ports[n].count)
        receiver -= wait->ports[n++].count;
    return &wait->ports[n];
}

static bool whittle_flow_is_due(uint64_t until)
{
    return until == 0 || (until != UINT64_MAX && whittle_net_now() >= until);
}

static bool whittle_flow_is_complete(const struct whittle_flow_wait *wait)
{
    for (size_t n = 0; n < wait->count; n++)
        if (wait->ports[n].packet == NULL)
            return false;
    return true;
}

bool whittle_flow_wait_all(struct whittle_flow_wait *wait, uint64_t until)
{
    if (whittle_flow_is_complete(wait))
        whittle_flow_wait_done(wait);
    for (;;) {
        size_t lacking = 0, which = 0;
        for (size_t n = 0; n < wait->count; n++) {
            struct whittle_flow_port *const port = &wait->ports[n];
            const void *packet = NULL;
            if (port->packet != NULL)
                continue;
            const enum whittle_flow_have have = whittle_flow_look_among(port->receivers, port->count, &packet, &which);
            if (have == WHITTLE_FLOW_PACKET) {
                whittle_flow_show_hand(port, port->receivers[which], packet);
                continue;
            }
            if (have == WHITTLE_FLOW_OVER || whittle_flow_is_over(port->receivers, port->count)) {
                wait->over = true;
                return false;
            }
            memcpy(&wait->lacking[lacking], port->receivers, port->count * sizeof *port->receivers);
            lacking += port->count;
        }
        if (lacking == 0)
            return true;
        if (whittle_flow_is_due(until))
            return false;
        whittle_flow_sleep_any(wait->lacking, lacking, until);
    }
}

/* True: each port has had a packet, and its newest is shown. */
static bool whittle_flow_show_newest(struct whittle_flow_wait *wait)
{
    for (size_t n = 0; n < wait->count; n++)
        if (wait->ports[n].waiting == 0)
            return false;
    for (size_t n = 0; n < wait->count; n++)
        whittle_flow_show_kept(&wait->ports[n], 0);
    return true;
}

bool whittle_flow_wait_latest(struct whittle_flow_wait *wait, uint64_t until)
{
    whittle_flow_wait_done(wait);
    for (;;) {
        size_t which = 0;
        const void *packet = NULL;
        const enum whittle_flow_have have = whittle_flow_look_among(wait->receivers, wait->receiver_count, &packet, &which);
        if (have == WHITTLE_FLOW_PACKET) {
            whittle_flow_keep(whittle_flow_port_of(wait, which), wait->receivers[which], packet, 0, WHITTLE_FLOW_REPLACED);
            if (whittle_flow_show_newest(wait))
                return true;
        } else if (have == WHITTLE_FLOW_OVER || whittle_flow_is_over(wait->receivers, wait->receiver_count)) {
            wait->over = true;
            return false;
        }
        if (whittle_flow_is_due(until))
            return false;
        if (have != WHITTLE_FLOW_PACKET)
            whittle_flow_sleep_any(wait->receivers, wait->receiver_count, until);
    }
}

/* Those of a port that have waited too long go. They stand in the order in which they came, so the first goes first. When the next is due. */
static uint64_t whittle_flow_expire(struct whittle_flow_port *port, uint64_t now)
{
    while (port->waiting > 0 && port->kept[0].until <= now) {
        whittle_flow_drop_kept(&port->kept[0], WHITTLE_FLOW_UNMATCHED);
        whittle_flow_unkeep(port, 0);
    }
    return port->waiting > 0 ? port->kept[0].until : UINT64_MAX;
}

/* The packet in hand, and the oldest of the other port that is its other. */
static bool whittle_flow_show_pair(struct whittle_flow_wait *wait, struct whittle_flow_port *port, struct whittle_flow_receiver *from, const void *packet)
{
    struct whittle_flow_port *const other = port == &wait->ports[0] ? &wait->ports[1] : &wait->ports[0];
    for (size_t n = 0; n < other->waiting; n++) {
        const void *const kept = whittle_flow_kept_packet(other, n);
        if (port == &wait->ports[0] ? wait->match(packet, kept) : wait->match(kept, packet)) {
            whittle_flow_show_hand(port, from, packet);
            whittle_flow_show_kept(other, n);
            return true;
        }
    }
    return false;
}

/* A port brings no packet any more, and none of it waits. */
static bool whittle_flow_is_dry(const struct whittle_flow_port *port)
{
    return port->waiting == 0 && whittle_flow_is_over(port->receivers, port->count);
}

bool whittle_flow_wait_pair(struct whittle_flow_wait *wait, uint64_t until)
{
    whittle_flow_wait_done(wait);
    for (;;) {
        size_t which = 0;
        const void *packet = NULL;
        const uint64_t now = whittle_net_now();
        const uint64_t one = whittle_flow_expire(&wait->ports[0], now), other = whittle_flow_expire(&wait->ports[1], now);
        const enum whittle_flow_have have = whittle_flow_look_among(wait->receivers, wait->receiver_count, &packet, &which);
        if (have == WHITTLE_FLOW_PACKET) {
            struct whittle_flow_port *const port = whittle_flow_port_of(wait, which);
            if (whittle_flow_show_pair(wait, port, wait->receivers[which], packet))
                return true;
            whittle_flow_keep(port, wait->receivers[which], packet, now + wait->within, WHITTLE_FLOW_UNMATCHED);
        } else if (whittle_flow_is_dry(&wait->ports[0]) || whittle_flow_is_dry(&wait->ports[1])) {
            wait->over = true;
            return false;
        }
        if (whittle_flow_is_due(until))
            return false;
        if (have != WHITTLE_FLOW_PACKET)
            whittle_flow_sleep_any(wait->receivers, wait->receiver_count, whittle_flow_sooner(until, whittle_flow_sooner(one, other)));
    }
}

uint64_t whittle_flow_wait_born(const struct whittle_flow_wait *wait, bool one_clock)
{
    uint64_t first = 0;
    for (size_t n = 0; n < wait->count; n++) {
        const uint64_t born = wait->ports[n].born;
        first = born != 0 && (first == 0 || born < first) ? born : first;
    }
    return first != 0 ? first : whittle_flow_now(one_clock);
}

/* A stage may end before all that send to it have come: they are to hear that no packet is wanted. */
void whittle_flow_wait_end(struct whittle_flow_wait *wait)
{
    if (whittle_flow_is_complete(wait))
        whittle_flow_wait_done(wait);
    for (size_t n = 0; n < wait->count; n++) {
        struct whittle_flow_port *const port = &wait->ports[n];
        if (port->packet != NULL && port->hand != NULL) {
            whittle_flow_release(port->hand->link);
            whittle_flow_count(port->hand->link, WHITTLE_FLOW_UNMATCHED, 1);
        }
        port->packet = NULL;
        while (port->waiting > 0) {
            whittle_flow_drop_kept(&port->kept[0], WHITTLE_FLOW_UNMATCHED);
            whittle_flow_unkeep(port, 0);
        }
    }
    for (size_t n = 0; n < wait->receiver_count; n++)
        whittle_flow_await_sender(wait->receivers[n]->link);
}
