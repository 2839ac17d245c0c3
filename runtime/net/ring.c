/* SPDX-License-Identifier: MIT-0 */
/* Bytes into a shared ring, and out of it: ring.h. */
#include "ring.h"
#include "buffer.h"
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

/* What there is, from beside the index; false: it does not stand there, or no longer. Whole words are copied, to where there is room. */
static bool whittle_net_ring_get_beside(const struct whittle_net_ring *ring, char *to, uint32_t size, size_t most)
{
    const struct whittle_net_ring_head *const shared = ring->shared;
    if (size > sizeof shared->beside || size + sizeof(uintptr_t) > most || __atomic_load_n(&shared->mark, __ATOMIC_ACQUIRE) != ring->seen
        || __atomic_load_n(&shared->count, __ATOMIC_ACQUIRE) != size)
        return false;
    for (size_t at = 0; at < size; at += sizeof(uintptr_t)) {
        const uintptr_t word = __atomic_load_n(&shared->beside[at / sizeof word], __ATOMIC_ACQUIRE);
        memcpy(to + at, &word, sizeof word);
    }
    return __atomic_load_n(&shared->mark, __ATOMIC_RELAXED) == ring->seen;
}

WHITTLE_NET_HOT size_t whittle_net_ring_get(struct whittle_net_ring *ring, void *to, size_t most)
{
    const uint32_t has = whittle_net_ring_has(ring), size = has < most ? has : (uint32_t)most;
    if (has == 0 || whittle_net_ring_get_beside(ring, (char *)to, has, most)) {
        ring->at += has;
        return has;
    }
    const uint32_t from = ring->at & (ring->size - 1), first = ring->size - from < size ? ring->size - from : size;
    memcpy(to, ring->bytes + from, first);
    if (first != size)
        memcpy((char *)to + first, ring->bytes, size - first);
    ring->at += size;
    return size;
}

WHITTLE_NET_HOT uint32_t whittle_net_ring_room(struct whittle_net_ring *ring, size_t wanted)
{
    if (ring->broken)
        return 0;
    if (ring->size - (ring->at - ring->seen) < wanted) {
        ring->seen = __atomic_load_n(&ring->shared->tail, __ATOMIC_SEQ_CST);
        ring->broken = ring->at - ring->seen > ring->size;
    }
    return ring->broken ? 0 : ring->size - (ring->at - ring->seen);
}

WHITTLE_NET_HOT void whittle_net_ring_put(struct whittle_net_ring *ring, const void *from, size_t size)
{
    const uint32_t to = ring->at & (ring->size - 1);
    const size_t first = ring->size - to < size ? ring->size - to : size;
    memcpy(ring->bytes + to, from, first);
    if (first != size)
        memcpy(ring->bytes, (const char *)from + first, size - first);
    ring->at += (uint32_t)size;
}

/* The other side's reader may be copying what stood there before: the mark is none of its indices until the last word is in place. */
WHITTLE_NET_HOT void whittle_net_ring_publish(struct whittle_net_ring *ring, const void *last)
{
    struct whittle_net_ring_head *const shared = ring->shared;
    const uint32_t size = ring->at - ring->published;
    __atomic_store_n(&shared->mark, ring->at ^ 0x80000000u, __ATOMIC_RELAXED);  /* farther than any ring is long */
    if (last != NULL && size <= sizeof shared->beside) {
        uintptr_t words[WHITTLE_NET_BESIDE];
        words[(size - 1) / sizeof(uintptr_t)] = 0;      /* behind the last byte, too */
        memcpy(words, last, size);
        __atomic_store_n(&shared->count, size, __ATOMIC_RELEASE);
        for (size_t at = 0; at < size; at += sizeof(uintptr_t))
            __atomic_store_n(&shared->beside[at / sizeof(uintptr_t)], words[at / sizeof(uintptr_t)], __ATOMIC_RELEASE);
        __atomic_store_n(&shared->mark, ring->at, __ATOMIC_RELEASE);
    }
    ring->published = ring->at;
    __atomic_store_n(&shared->head, ring->at, __ATOMIC_SEQ_CST);
}
