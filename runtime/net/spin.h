/* SPDX-License-Identifier: MIT-0 */
/*
 * Whether to stay awake for a peer: to put a thread to sleep and wake it again costs more than a peer that is at work takes to answer,
 * so who waits stays awake for a short while first, as long as that has paid lately. Source: competitive spinning (Karlin, Li, Manasse,
 * Owicki, "Empirical studies of competitive spinning for a shared-memory multiprocessor", 1991): the time awake is bounded, and the
 * last waits say whether it is spent at all.
 */
#ifndef WHITTLE_NET_ATTENTION_H
#define WHITTLE_NET_ATTENTION_H
#include "clock.h"

#define WHITTLE_NET_SPIN 50000u        /* nanoseconds */

/* Whether it has paid lately. */
struct whittle_net_spin { uint32_t misses, skip; };

/* How long to stay awake: not at all on one processor. */
uint64_t whittle_net_spin_time(void);

/* Whether to stay awake for this wait. */
WHITTLE_NET_UNUSED static inline bool whittle_net_spin_pays(struct whittle_net_spin *spin)
{
    if (spin->skip == 0)
        return true;
    spin->skip--;
    return false;
}

/* It came in time, or each miss doubles the waits until the next attempt. */
WHITTLE_NET_UNUSED static inline void whittle_net_spun(struct whittle_net_spin *spin, bool in_time)
{
    enum { MOST = 8 };
    if (in_time)
        spin->misses = 0;
    else if (spin->misses < MOST)
        spin->misses++;
    spin->skip = in_time ? 0 : (1u << spin->misses) - 1;
}

/* Between two looks. */
WHITTLE_NET_UNUSED static inline void whittle_net_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__) || (defined(__arm__) && __ARM_ARCH >= 7)
    __asm__ __volatile__("yield");
#endif
}
#endif
