/* SPDX-License-Identifier: MIT-0 */
/* Bytes into a shared ring, and out of it: ring.h. */
#include "ring.h"
#include <string.h>

void whittle_net_ring_open(struct whittle_net_ring *ring, struct whittle_net_ring_head *shared, char *bytes, uint32_t size)
{
    *ring = (struct whittle_net_ring){.shared = shared, .bytes = bytes, .size = size};
}

uint32_t whittle_net_ring_has(struct whittle_net_ring *ring)
{
    if (ring->broken)
        return 0;
    if (ring->seen == ring->at)
        ring->seen = __atomic_load_n(&ring->shared->head, __ATOMIC_SEQ_CST);  /* not before the own word that says: asleep */
    const uint32_t has = ring->seen - ring->at;
    ring->broken = has > ring->size;
    return ring->broken ? 0 : has;
}

size_t whittle_net_ring_get(struct whittle_net_ring *ring, void *to, size_t most)
{
    const uint32_t has = whittle_net_ring_has(ring), size = has < most ? has : (uint32_t)most;
    const uint32_t from = ring->at & (ring->size - 1), first = ring->size - from < size ? ring->size - from : size;
    memcpy(to, ring->bytes + from, first);
    if (first != size)
        memcpy((char *)to + first, ring->bytes, size - first);
    ring->at += size;
    return size;
}

uint32_t whittle_net_ring_room(struct whittle_net_ring *ring, size_t wanted)
{
    if (ring->broken)
        return 0;
    if (ring->size - (ring->at - ring->seen) < wanted) {
        ring->seen = __atomic_load_n(&ring->shared->tail, __ATOMIC_SEQ_CST);
        ring->broken = ring->at - ring->seen > ring->size;
    }
    return ring->broken ? 0 : ring->size - (ring->at - ring->seen);
}

void whittle_net_ring_put(struct whittle_net_ring *ring, const void *from, size_t size)
{
    const uint32_t to = ring->at & (ring->size - 1);
    const size_t first = ring->size - to < size ? ring->size - to : size;
    memcpy(ring->bytes + to, from, first);
    if (first != size)
        memcpy(ring->bytes, (const char *)from + first, size - first);
    ring->at += (uint32_t)size;
}
