/* SPDX-License-Identifier: MIT-0 */
/*
 * One budget of memory for all that peers cause at a server: input, decoded values, queued requests, replies that nobody reads.
 * The nearer the bound, the less is admitted: first no new connections, then no long messages, then no new requests; what is little, and
 * was accepted, fails last.
 */
#ifndef WHITTLE_NET_BUDGET_H
#define WHITTLE_NET_BUDGET_H
#include "usage.h"
#include <stdbool.h>
#include <stddef.h>

struct whittle_net_budget {
    size_t bound;                       /* bytes; 0: none */
    size_t used, most;
};

/* What wants memory, from what is refused first to what is refused last. */
enum whittle_net_want { WHITTLE_NET_WANT_CONNECTION, WHITTLE_NET_WANT_LONG, WHITTLE_NET_WANT_REQUEST, WHITTLE_NET_WANT_SHORT };

/* What a block of so many bytes takes of the C library: a word before it, in sixteens, and at least two of them, as in glibc. */
static inline size_t whittle_net_block(size_t size)
{
    const size_t whole = (size + sizeof(size_t) + 15) & ~(size_t)15;
    return whole < 32 ? 32 : whole;
}
/* Takes `size` bytes; false: the budget does not allow it, and nothing was taken. */
bool whittle_net_budget_take(struct whittle_net_budget *budget, size_t size, enum whittle_net_want want);
/* Takes what is little, and is there a moment later. */
void whittle_net_budget_charge(struct whittle_net_budget *budget, size_t size);
void whittle_net_budget_give(struct whittle_net_budget *budget, size_t size);
/* Whether something of that kind is admitted now. */
bool whittle_net_budget_admits(const struct whittle_net_budget *budget, enum whittle_net_want want);
/* The same of so many bytes. */
bool whittle_net_budget_fits(const struct whittle_net_budget *budget, size_t size, enum whittle_net_want want);
/* From here on who holds most of it is to go. */
size_t whittle_net_budget_tight(const struct whittle_net_budget *budget);
bool whittle_net_budget_is_tight(const struct whittle_net_budget *budget);
#endif
