/* SPDX-License-Identifier: MIT-0 */
/* Storage for the decoded values of one message, in buffers of a pool: released all at once. Bounded. */
#ifndef WHITTLE_NET_ARENA_H
#define WHITTLE_NET_ARENA_H
#include "buffer.h"

/* `most`: bytes of one message's decoded values. */
WHITTLE_INLINE void whittle_net_arena_open(struct whittle_net_arena *arena, size_t most)
{
    memset(arena, 0, sizeof *arena);
    arena->left = most;
}
/* `count` items of `size` bytes, zeros if `zeroed`, aligned for all types; NULL: too much, or no memory. */
void *whittle_net_arena_take(struct whittle_net_arena *arena, struct whittle_net_pool *pool, size_t size, uint32_t count, bool zeroed);
/* Bytes that the message's values take elsewhere; false: too much, and not counted. */
bool whittle_net_arena_charge(struct whittle_net_arena *arena, struct whittle_net_pool *pool, size_t size, uint32_t count);
void whittle_net_arena_release(struct whittle_net_arena *arena, struct whittle_net_pool *pool);
WHITTLE_INLINE void whittle_net_arena_close(struct whittle_net_arena *arena, struct whittle_net_pool *pool)
{
    if (arena->chunks != NULL || arena->charged != 0)
        whittle_net_arena_release(arena, pool);
}
#endif
