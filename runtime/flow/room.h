/* SPDX-License-Identifier: MIT-0 */
/* Sending: packets are written where they leave from, and let go, one by one or many at a time. */
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
 * Sends the packet at whittle_flow_room, as the edge's contract says: waits, or drops, where the queue is full. False where
 * the edge has ended, or the packet is at fault (said, counted): it is not sent then. `born` is the time the packet's
 * source let it go, in nanoseconds; 0: now. whittle_flow_send_next takes where the packet stands, and says where the next is
 * to be written: one that stands elsewhere than in the room is copied there.
 */
bool whittle_flow_send_on(struct whittle_flow_sender *sender, uint64_t born);     /* what the two below leave to do */
bool whittle_flow_send_copy(struct whittle_flow_sender *sender, const void *packet, uint64_t born);
static inline bool whittle_flow_send_next(struct whittle_flow_sender *sender, uint64_t born, void **room)
{
    const uintptr_t place = (uintptr_t)*room + (uintptr_t)sender->step;
    const uint64_t at = (uint64_t)((uintptr_t)*room - sender->base), next = (uint64_t)(place - sender->base);
    bool goes_on;
    if (__builtin_expect(at == *sender->at, 1)) {
        /* First the packet counts as sent, then the limit is looked at: whoever lowers it looks for packets after that. */
        __atomic_store_n(sender->at, next, __ATOMIC_RELEASE);
        *room = (void *)place;
        if (__builtin_expect(next < __atomic_load_n(&sender->limit, __ATOMIC_RELAXED), 1))
            return true;
        goes_on = whittle_flow_send_on(sender, born);
    } else
        goes_on = whittle_flow_send_copy(sender, *room, born);
    *room = whittle_flow_room(sender);
    return goes_on;
}
static inline bool whittle_flow_send(struct whittle_flow_sender *sender, uint64_t born)
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
 * array of the caller's, which is copied. False where one of them could not be sent; those after it are not, then.
 */
enum { WHITTLE_FLOW_ROOM_MOST = 16384 };
static inline size_t whittle_flow_room_for(const struct whittle_flow_sender *sender, const void *room, size_t size)
{
    const uint64_t at = (uint64_t)((uintptr_t)room - sender->base), limit = __atomic_load_n(&sender->limit, __ATOMIC_RELAXED);
    const uint64_t most = limit <= at ? 0 : limit - at < WHITTLE_FLOW_ROOM_MOST ? limit - at : (uint64_t)WHITTLE_FLOW_ROOM_MOST;
    return sender->step != size || at != *sender->at || most < size ? 1 : (size_t)(most / size);
}
static inline bool whittle_flow_send_batch(struct whittle_flow_sender *sender, uint64_t born, void **room, size_t size, size_t count)
{
    const unsigned char *packet = (const unsigned char *)*room;
    bool goes_on = true;
    if (count > 1 && count <= whittle_flow_room_for(sender, packet, size)) {
        packet += (count - 1) * size;
        __atomic_store_n(sender->at, *sender->at + (uint64_t)((count - 1) * size), __ATOMIC_RELEASE);
        count = 1;
    }
    for (; goes_on && count > 0; count--, packet += size) {
        *room = (void *)(uintptr_t)packet;
        goes_on = whittle_flow_send_next(sender, born, room);
    }
    return goes_on;
}

#ifdef __cplusplus
}
#endif
#endif
