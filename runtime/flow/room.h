/* SPDX-License-Identifier: MIT-0 */
/* Sending: packets are written where they leave from, and sent, one by one or many at a time. */
#ifndef WHITTLE_FLOW_ROOM_H
#define WHITTLE_FLOW_ROOM_H
#include "edge.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where the next packet is to be written: the same place until it is sent. Its bytes are of no meaning. */
static inline void *whittle_flow_room(struct whittle_flow_sender *sender)
{
    return (void *)(sender->base + (uintptr_t)*sender->at);
}

/*
 * What became of a packet that was to be sent; each is counted. Only the first means that no later one will go: it is false
 * where the others are true, so that a middle may return it. Of several edges of an outport the greatest is returned.
 */
enum whittle_flow_result {
    WHITTLE_FLOW_IS_CLOSED = 0,     /* not sent: nobody takes packets of the edge any more */
    WHITTLE_FLOW_IS_FAULTY,         /* not sent: a count above its bound, a string without its end (said once) */
    WHITTLE_FLOW_IS_DROPPED,        /* not sent, as the edge's contract says: its queue is full, or its rate exceeded */
    WHITTLE_FLOW_IS_SENT,           /* it is on its way, or waits in the queue */
    WHITTLE_FLOW_IS_UNCONNECTED     /* not sent, and not counted: the port is optional, and no edge leaves it in this flow */
};
static inline enum whittle_flow_result whittle_flow_better(enum whittle_flow_result one, enum whittle_flow_result other)
{
    return one > other ? one : other;
}

/*
 * Sends the packet at whittle_flow_room, as the edge's contract says: waits, or drops, where the queue is full. `born` is the time the packet's
 * source sent it, in nanoseconds; 0: now. whittle_flow_send_next takes where the packet stands, and says where the next is
 * to be written: one that stands elsewhere than in the room is copied there.
 */
enum whittle_flow_result whittle_flow_send_on(struct whittle_flow_sender *sender, uint64_t born);     /* what the two below leave to do */
enum whittle_flow_result whittle_flow_send_copy(struct whittle_flow_sender *sender, const void *packet, uint64_t born);
static inline enum whittle_flow_result whittle_flow_send_next(struct whittle_flow_sender *sender, uint64_t born, void **room)
{
    const uintptr_t place = (uintptr_t)*room + (uintptr_t)sender->step;
    const uint64_t at = (uint64_t)((uintptr_t)*room - sender->base), next = (uint64_t)(place - sender->base);
    enum whittle_flow_result result;
    if (__builtin_expect(at == *sender->at, 1)) {
        /* First the packet counts as sent, then the limit is looked at: whoever lowers it looks for packets after that. */
        __atomic_store_n(sender->at, next, __ATOMIC_RELEASE);
        *room = (void *)place;
        if (__builtin_expect(next < __atomic_load_n(&sender->limit, __ATOMIC_RELAXED), 1))
            return WHITTLE_FLOW_IS_SENT;
        result = whittle_flow_send_on(sender, born);
    } else
        result = whittle_flow_send_copy(sender, *room, born);
    *room = whittle_flow_room(sender);
    return result;
}
static inline enum whittle_flow_result whittle_flow_send(struct whittle_flow_sender *sender, uint64_t born)
{
    void *room = whittle_flow_room(sender);
    return whittle_flow_send_next(sender, born, &room);
}

/*
 * Many packets at a time. To move `room` on for each packet is to read from memory what was written there a moment ago,
 * the greater part of what a packet of a few bytes costs; here it moves once for all of them.
 * whittle_flow_room_for: so many packets of `size` bytes may be written from `room` on, one after the other, before they are
 * sent: one at least, and no more than 16 KB of them, since nobody sees them before.
 * whittle_flow_send_batch: sends `count` packets of `size` bytes that stand one after the other from *room on, there or in an
 * array of the caller's, which is copied. The worst of what became of them; where the edge is closed, those that follow are
 * not sent.
 */
enum { WHITTLE_FLOW_ROOM_MOST = 16384 };
static inline size_t whittle_flow_room_for(const struct whittle_flow_sender *sender, const void *room, size_t size)
{
    const uint64_t at = (uint64_t)((uintptr_t)room - sender->base), limit = __atomic_load_n(&sender->limit, __ATOMIC_RELAXED);
    const uint64_t most = limit <= at ? 0 : limit - at < WHITTLE_FLOW_ROOM_MOST ? limit - at : (uint64_t)WHITTLE_FLOW_ROOM_MOST;
    return sender->step != size || at != *sender->at || most < size ? 1 : (size_t)(most / size);
}
static inline enum whittle_flow_result whittle_flow_send_batch(struct whittle_flow_sender *sender, uint64_t born, void **room, size_t size, size_t count)
{
    const unsigned char *packet = (const unsigned char *)*room;
    enum whittle_flow_result worst = WHITTLE_FLOW_IS_SENT;
    if (count > 1 && count <= whittle_flow_room_for(sender, packet, size)) {
        packet += (count - 1) * size;
        __atomic_store_n(sender->at, *sender->at + (uint64_t)((count - 1) * size), __ATOMIC_RELEASE);
        count = 1;
    }
    for (; worst != WHITTLE_FLOW_IS_CLOSED && count > 0; count--, packet += size) {
        *room = (void *)(uintptr_t)packet;
        const enum whittle_flow_result one = whittle_flow_send_next(sender, born, room);
        worst = one < worst ? one : worst;
    }
    return worst;
}

#ifdef __cplusplus
}
#endif
#endif
