/* SPDX-License-Identifier: MIT-0 */
/*
 * Buffers of messages. They are counted: one may hold several messages that came together, each of which somebody else looks at.
 * Who is alone with one may write to it, and grow it. Given back they wait in a pool for whoever needs one next, so that a call
 * allocates nothing. They are pages of their own: what is given back to the system is really free, so that a budget holds.
 */
#ifndef WHITTLE_NET_BUFFER_H
#define WHITTLE_NET_BUFFER_H
#include "budget.h"
#include "call.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <whittle/words.h>

struct whittle_net_buffer {
    struct whittle_net_buffer *next;
    size_t room;
    size_t from, to;            /* in a queue of what is to be sent: the bytes that are left */
    uint32_t refs;
#ifdef __cplusplus
    __attribute__((aligned(64))) char bytes[1];     /* and more, which C++ cannot say */
#else
    __attribute__((aligned(64))) char bytes[];
#endif
};

enum { WHITTLE_NET_SMALL = 16384 - 64, WHITTLE_NET_SMALL_KEPT = 64, WHITTLE_NET_BIG_KEPT = 16 * 1024 * 1024 };

/* Those that wait: all small ones have the same room. All that exist count against the budget. */
struct whittle_net_pool {
    struct whittle_net_buffer *spare;   /* a small one, to be had without the lock */
    pthread_mutex_t lock;
    struct whittle_net_buffer *small, *big;
    size_t small_count, big_bytes;
    struct whittle_net_budget budget;
};

/* `bound` bytes at most, in all buffers and whatever else is charged to the pool's budget; 0: as many as there are. */
void whittle_net_pool_open(struct whittle_net_pool *pool, size_t bound);
void whittle_net_pool_close(struct whittle_net_pool *pool);
/* All that wait are freed: memory is short. */
void whittle_net_pool_trim(struct whittle_net_pool *pool);
/* The slow paths of take and give. */
struct whittle_net_buffer *whittle_net_buffer_find(struct whittle_net_pool *pool, size_t least, size_t wanted);
void whittle_net_buffer_store(struct whittle_net_pool *pool, struct whittle_net_buffer *buffer);
/* Counts against the other pool from now on, which it is to be given back to; false: somebody else holds it, too, and it stays. */
bool whittle_net_buffer_move(struct whittle_net_pool *from, struct whittle_net_pool *to, const struct whittle_net_buffer *buffer);
/* The first `used` bytes in at least twice the room, for the hold on the old one; NULL: no memory, and the old one stays. */
struct whittle_net_buffer *whittle_net_buffer_grow(struct whittle_net_pool *pool, struct whittle_net_buffer *buffer, size_t used, size_t least);

WHITTLE_INLINE void whittle_net_buffer_share(struct whittle_net_buffer *buffer)
{
    __atomic_fetch_add(&buffer->refs, 1, __ATOMIC_RELAXED);
}

WHITTLE_INLINE bool whittle_net_buffer_alone(const struct whittle_net_buffer *buffer)
{
    return __atomic_load_n(&buffer->refs, __ATOMIC_ACQUIRE) == 1;
}

/* A buffer of which the caller is the only holder; NULL: no memory. `wanted` is more than is needed at once: taken where one waits. */
WHITTLE_INLINE struct whittle_net_buffer *whittle_net_buffer_take(struct whittle_net_pool *pool, size_t least, size_t wanted)
{
    struct whittle_net_buffer *const spare = wanted <= WHITTLE_NET_SMALL ? __atomic_exchange_n(&pool->spare, NULL, __ATOMIC_ACQ_REL) : NULL;
    struct whittle_net_buffer *const buffer = spare != NULL ? spare : whittle_net_buffer_find(pool, least, wanted);
    if (buffer == NULL)
        return NULL;
    buffer->next = NULL;
    buffer->from = buffer->to = 0;
    buffer->refs = 1;
    return buffer;
}

WHITTLE_INLINE void whittle_net_buffer_give(struct whittle_net_pool *pool, struct whittle_net_buffer *buffer)
{
    /* Who is alone need not notify anybody. */
    if (buffer == NULL || (!whittle_net_buffer_alone(buffer) && __atomic_sub_fetch(&buffer->refs, 1, __ATOMIC_ACQ_REL) != 0))
        return;
    if (buffer->room <= WHITTLE_NET_SMALL && __atomic_load_n(&pool->spare, __ATOMIC_RELAXED) == NULL)
        buffer = __atomic_exchange_n(&pool->spare, buffer, __ATOMIC_ACQ_REL);
    if (buffer != NULL)
        whittle_net_buffer_store(pool, buffer);
}

/* Between system calls little is in the processor's caches: what each call goes through is one piece, and what is rare lies apart. */
#ifdef __OPTIMIZE_SIZE__
#define WHITTLE_NET_FLATTEN
#else
#define WHITTLE_NET_FLATTEN __attribute__((flatten))
#endif
/* What a short call needs stands together: after a sleep little of it is in the nearest caches. */
#define WHITTLE_NET_HOT __attribute__((hot))
#define WHITTLE_NET_COLD __attribute__((cold, noinline))
#define WHITTLE_NET_NOINLINE __attribute__((noinline))
#endif
