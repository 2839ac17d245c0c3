/* SPDX-License-Identifier: MIT-0 */
/* Storage of one message's values: arena.h. */
#include "arena.h"

/* Each chunk stands at the beginning of its buffer. */
struct whittle_net_chunk {
    struct whittle_net_chunk *next;
    struct whittle_net_buffer *buffer;
};

static bool whittle_net_arena_more(struct whittle_net_arena *arena, struct whittle_net_pool *pool, size_t size)
{
    const size_t least = size + sizeof(struct whittle_net_chunk) + 32;
    struct whittle_net_buffer *const buffer = whittle_net_buffer_take(pool, least, least);
    if (buffer == NULL)
        return false;
    struct whittle_net_chunk *const chunk = (struct whittle_net_chunk *)(void *)buffer->bytes;
    *chunk = (struct whittle_net_chunk){arena->chunks, buffer};
    arena->chunks = chunk;
    arena->at = (char *)(chunk + 1);
    arena->end = buffer->bytes + buffer->room;
    return true;
}

void *whittle_net_arena_take(struct whittle_net_arena *arena, struct whittle_net_pool *pool, size_t size, uint32_t count, bool zeroed)
{
    if (size != 0 && count > (SIZE_MAX / 4) / size)
        return NULL;
    const size_t total = (size * count + 15) & ~(size_t)15;
    if (total > arena->left)
        return NULL;
    if (total > (size_t)(arena->end - arena->at) && !whittle_net_arena_more(arena, pool, total))
        return NULL;
    char *const here = arena->at;
    arena->at += total;
    arena->left -= total;
    if (zeroed)
        memset(here, 0, size * count);
    return here;
}

bool whittle_net_arena_charge(struct whittle_net_arena *arena, struct whittle_net_pool *pool, size_t size, uint32_t count)
{
    if (size != 0 && count > (SIZE_MAX / 4) / size)
        return false;
    const size_t total = whittle_net_block(size * count);
    if (total > arena->left || !whittle_net_budget_take(&pool->budget, total, WHITTLE_NET_WANT_LONG))
        return false;
    arena->left -= total;
    arena->charged += total;
    return true;
}

void whittle_net_arena_release(struct whittle_net_arena *arena, struct whittle_net_pool *pool)
{
    whittle_net_budget_give(&pool->budget, arena->charged);
    arena->charged = 0;
    while (arena->chunks != NULL) {
        struct whittle_net_chunk *const chunk = arena->chunks;
        arena->chunks = chunk->next;
        whittle_net_buffer_give(pool, chunk->buffer);
    }
    arena->at = arena->end = NULL;
}
