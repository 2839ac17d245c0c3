/* SPDX-License-Identifier: MIT-0 */
/* The memory that a server uses, and counters since it was made. */
#ifndef WHITTLE_NET_USAGE
#define WHITTLE_NET_USAGE
#include <stdint.h>

struct whittle_net_usage {
    uint64_t memory, memory_most, memory_bound;     /* bytes that peers cause: now, the maximum so far, and the limit */
    uint64_t connections;                           /* open now */
    uint64_t accepted, refused;                     /* connections: accepted; closed at once for lack of memory or descriptors */
    uint64_t evicted;                               /* connections: closed to make room for others */
    uint64_t stalled;                               /* connections: closed because a message made no progress */
    uint64_t shed;                                  /* connections: closed because they held most of the memory when it ran out */
    uint64_t requests, requests_refused;            /* complete requests: started; answered with an error for lack of memory */
    uint64_t requests_dropped;                      /* not started because their connection had closed or the server stopped */
    uint64_t protocol_errors;                       /* messages that violate the protocol */
};
#endif
