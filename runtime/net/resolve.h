/* SPDX-License-Identifier: MIT-0 */
/* The addresses of a host: looked up in another thread, so that a name server that says nothing holds nobody up beyond a deadline. */
#ifndef WHITTLE_NET_RESOLVE_H
#define WHITTLE_NET_RESOLVE_H
#include "address.h"

/* How long somebody waits: until the deadline, and while nothing more is cancelled, where somebody may cancel. */
struct whittle_net_limits {
    uint64_t deadline;          /* 0: none */
    const uint32_t *epochs;     /* counts what was cancelled; NULL: nothing is */
    uint32_t epoch;             /* what it was before */
};
WHITTLE_NET_UNUSED static inline bool whittle_net_is_cancelled(const struct whittle_net_limits *limits)
{
    return limits->epochs != NULL && __atomic_load_n(limits->epochs, __ATOMIC_RELAXED) != limits->epoch;
}

enum { WHITTLE_NET_NAMES = 16, WHITTLE_NET_LOOKUPS = 32 };   /* addresses of a host that are tried; look-ups under way in a process */
/*
 * The names of a host, at most WHITTLE_NET_NAMES; how many, or a failure (failure.h). `host` NULL: this machine's, to listen at, if
 * `passive`.
 */
int whittle_net_resolve(const char *host, uint16_t port, int type, bool passive, const struct whittle_net_limits *limits,
                        struct whittle_net_name *names);
#endif
