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
 * A look-up that nobody waits for, of a host, or (NULL) of this machine. Numbers are read at once, names in a thread of its own. NULL:
 * see errno, where EAGAIN is that as many as may be are under way. When it has ended, `wake`, an eventfd, is written to (-1: none).
 */
struct whittle_net_lookup;
struct whittle_net_lookup *whittle_net_lookup_begin(const char *host, uint16_t port, int type, int wake);
/* How many names were found, or a failure (failure.h); 0: it has not ended. */
int whittle_net_lookup_count(struct whittle_net_lookup *lookup);
const struct whittle_net_name *whittle_net_lookup_name(const struct whittle_net_lookup *lookup, int index);
/* At any time; NULL is none. */
void whittle_net_lookup_end(struct whittle_net_lookup *lookup);

/* The names of a host, at most WHITTLE_NET_NAMES; how many, or a failure. */
int whittle_net_resolve(const char *host, uint16_t port, int type, const struct whittle_net_limits *limits, struct whittle_net_name *names);
#endif
