/* SPDX-License-Identifier: MIT-0 */
/* What a server uses, and what became of its peers. All counts are since it was made. */
#ifndef WHITTLE_NET_USAGE
#define WHITTLE_NET_USAGE
#include <stdint.h>

struct whittle_net_usage {
    uint64_t memory, memory_most, memory_bound;     /* bytes that peers cause: now, at most so far, and allowed */
    uint64_t connections;                           /* open now */
    uint64_t accepted, refused;                     /* connections: taken, and closed at once for want of memory or descriptors */
    uint64_t evicted;                               /* connections: closed to make room for others */
    uint64_t stalled;                               /* connections: closed since a message did not progress */
    uint64_t shed;                                  /* connections: closed since they held most of a budget that ran out */
    uint64_t requests, requests_refused;            /* whole requests: begun, and answered with an error for want of memory */
    uint64_t requests_dropped;                      /* not begun, since their connection had gone or the server stopped */
    uint64_t protocol_errors;                       /* messages that were none of the protocol's */
};
#endif
