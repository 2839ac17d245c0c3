/* SPDX-License-Identifier: MIT-0 */
/* What generated code has on its stack for the run time: of a call, and of a request that is served. */
#ifndef WHITTLE_NET_CALL_H
#define WHITTLE_NET_CALL_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct whittle_net_buffer;
struct whittle_net_chunk;

/* A message, in its buffer, which its holder is to give back. */
struct whittle_net_message {
    struct whittle_net_buffer *buffer;
    char *base, *end;
};

/* A request whose reply is waited for. It stays where it is in memory while it waits. */
struct whittle_net_call {
    struct whittle_net_call *next, *previous;
    void *waiter;                       /* a condition, where somebody else reads */
    uint64_t deadline, again;           /* 0: none; when something is to be sent again */
    uint32_t taken;                     /* pieces of storage that the reply's values took */
    bool late;                          /* they were given up for the deadline */
    uint32_t id, epoch;                 /* what its reply is known by; how often all was cancelled before it began */
    int status;                         /* enum whittle_net_failure, once it is done */
    bool waiting, done;
    bool serves;                        /* its thread goes on serving others meanwhile */
    struct whittle_net_message reply;   /* status 0: to be given back */
    bool begun, slow;                   /* bytes of it have gone; the socket did not take all of it at once */
};

/* Storage for the decoded values of one message: arena.h. */
struct whittle_net_arena {
    struct whittle_net_chunk *chunks;
    char *at, *end;                     /* what is left of the first */
    size_t left;                        /* bytes that may still be taken, here and as whittle_net_arena_charge says */
    size_t charged;                     /* of the budget, for what is not in chunks */
};

/* Where a reply is written: behind others, or in a buffer of its own. */
struct whittle_net_output {
    struct whittle_net_buffer *buffer;
    size_t base;                        /* where in it */
    bool appended;                      /* behind others, in the connection's queue */
};
/* Asked for each piece of storage that a reply's values take: whether there is no time for it. */
bool whittle_net_call_decodes_late(struct whittle_net_call *call);
#endif
