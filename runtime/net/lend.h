/* SPDX-License-Identifier: MIT-0 */
/* Replies whose results stay where they came: the caller keeps the message, and what did not fit into it, until it needs them no more. */
#ifndef WHITTLE_NET_LEND_H
#define WHITTLE_NET_LEND_H
#include "arena.h"

struct whittle_net_lent {
    struct whittle_net_pool *pool;
    struct whittle_net_buffer *message;
    struct whittle_net_buffer *home;    /* holds this structure, and the first values */
    struct whittle_net_arena arena;
};
/* `most`: bytes of values beside the message. NULL: no memory. */
struct whittle_net_lent *whittle_net_lend(struct whittle_net_pool *pool, size_t most);
void *whittle_net_lent_take(struct whittle_net_lent *lent, size_t size, uint32_t count, bool zeroed);
void whittle_net_lent_free(struct whittle_net_lent *lent);
#endif
