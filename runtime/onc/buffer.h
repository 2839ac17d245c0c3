/* SPDX-License-Identifier: MIT-0 */
/*
 * Buffers of messages. They are counted: one may hold several messages that came together, each of which somebody else looks at.
 * Who is alone with one may write to it, and grow it. Given back they wait for whoever needs one next, so that a call allocates
 * nothing.
 */
#ifndef WHITTLE_ONC_BUFFER_H
#define WHITTLE_ONC_BUFFER_H
#include "wire.h"
#include <pthread.h>

struct whittle_onc_buffer {
    struct whittle_onc_buffer *next;
    size_t room;
    size_t from, to;            /* in a queue of what is to be sent: the bytes that are left */
    uint32_t refs;
    _Alignas(64) char bytes[];
};

enum { WHITTLE_ONC_SMALL = 16384 - 64, WHITTLE_ONC_SMALL_KEPT = 64, WHITTLE_ONC_BIG_KEPT = 16 * 1024 * 1024 };

/* Those that wait: all small ones have the same room. */
struct whittle_onc_pool {
    struct whittle_onc_buffer *spare;   /* a small one, to be had without the lock */
    pthread_mutex_t lock;
    struct whittle_onc_buffer *small, *big;
    size_t small_count, big_bytes;
};

void whittle_onc_pool_open(struct whittle_onc_pool *pool);
void whittle_onc_pool_close(struct whittle_onc_pool *pool);
/* A buffer of which the caller is the only holder; NULL: no memory. `wanted` is more than is needed at once: taken where one waits. */
struct whittle_onc_buffer *whittle_onc_buffer_take(struct whittle_onc_pool *pool, size_t least, size_t wanted);
void whittle_onc_buffer_give(struct whittle_onc_pool *pool, struct whittle_onc_buffer *buffer);

__attribute__((unused)) static inline void whittle_onc_buffer_share(struct whittle_onc_buffer *buffer)
{
    __atomic_fetch_add(&buffer->refs, 1, __ATOMIC_RELAXED);
}

__attribute__((unused)) static inline bool whittle_onc_buffer_alone(const struct whittle_onc_buffer *buffer)
{
    return __atomic_load_n(&buffer->refs, __ATOMIC_ACQUIRE) == 1;
}
#endif
