/* SPDX-License-Identifier: MIT-0 */
/* Lent replies: lend.h. */
#include "lend.h"

struct whittle_net_lent *whittle_net_lend(struct whittle_net_pool *pool, size_t most)
{
    struct whittle_net_buffer *const home = whittle_net_buffer_take(pool, WHITTLE_NET_SMALL, WHITTLE_NET_SMALL);
    if (home == NULL)
        return NULL;
    const size_t head = (sizeof(struct whittle_net_lent) + 15) & ~(size_t)15;
    struct whittle_net_lent *const lent = (struct whittle_net_lent *)(void *)home->bytes;
    *lent = (struct whittle_net_lent){.pool = pool, .home = home};
    whittle_net_arena_open(&lent->arena, most);
    lent->arena.at = home->bytes + head;
    lent->arena.end = home->bytes + home->room;
    return lent;
}

void *whittle_net_lent_take(struct whittle_net_lent *lent, size_t size, uint32_t count, bool zeroed)
{
    return whittle_net_arena_take(&lent->arena, lent->pool, size, count, zeroed);
}

void whittle_net_lent_free(struct whittle_net_lent *lent)
{
    if (lent == NULL)
        return;
    struct whittle_net_pool *const pool = lent->pool;
    struct whittle_net_buffer *const home = lent->home;
    whittle_net_buffer_give(pool, lent->message);
    whittle_net_arena_close(&lent->arena, pool);
    whittle_net_buffer_give(pool, home);
}
