/* SPDX-License-Identifier: MIT-0 */
/* Why something that needs a peer failed; each protocol says it in its own words. */
#ifndef WHITTLE_NET_FAILURE_H
#define WHITTLE_NET_FAILURE_H

enum whittle_net_failure {
    WHITTLE_NET_OK = 0,
    WHITTLE_NET_NO_MEMORY = -1,         /* or no descriptor */
    WHITTLE_NET_UNKNOWN_HOST = -2,
    WHITTLE_NET_REFUSED = -3,           /* nobody listens there */
    WHITTLE_NET_UNREACHABLE = -4,
    WHITTLE_NET_TIMED_OUT = -5,
    WHITTLE_NET_CANCELLED = -6,
    WHITTLE_NET_LOST = -7,              /* the connection, before the reply came */
    WHITTLE_NET_CLOSED = -8,            /* by the server, in order: it has not looked at the request */
    WHITTLE_NET_NOT_BEGUN = -9,         /* the connection is lost, and nothing went over it */
    WHITTLE_NET_BAD_MESSAGE = -10,      /* what came is none of the protocol's */
    WHITTLE_NET_TOO_LARGE = -11,
    WHITTLE_NET_NOT_ALLOWED = -12,      /* by this user, or the other side is another's, without the same key */
    WHITTLE_NET_OTHER_VERSION = -13     /* the other side is of one that does not go with this */
};
#endif
