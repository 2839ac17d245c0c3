/* SPDX-License-Identifier: MIT-0 */
/* Stages that wait for packets of several ports before their middle is called. */
#ifndef WHITTLE_FLOW_WAIT_H
#define WHITTLE_FLOW_WAIT_H
#include "edge.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A packet that waits in its stage's memory, in place number `place` of its port's room. */
struct whittle_flow_kept {
    uint64_t until;                 /* it goes then; 0: it stays until a newer one comes */
    uint64_t born;
    struct whittle_flow_receiver *from;
    size_t place;
    bool done;                      /* a middle has had it: it is counted */
};

/* A port: the edges that lead to it and, where its packets are copied, room for `most` of them, of `size` bytes each. */
struct whittle_flow_port {
    struct whittle_flow_receiver *const *receivers;
    size_t count;
    void *room;
    struct whittle_flow_kept *kept; /* the first `waiting` are, from the oldest on; those behind them name places that are free */
    size_t size, most, waiting, named;
    const void *packet;             /* for the middle; NULL: none */
    uint64_t born;
    struct whittle_flow_receiver *hand;  /* whose hand the packet is in; NULL: it is a copy */
    size_t taken;                   /* then which one of the kept */
};

/* All of them. Zeroed but for what the compiler writes, it is ready. */
struct whittle_flow_wait {
    struct whittle_flow_port *ports;
    size_t count;
    struct whittle_flow_receiver *const *receivers;     /* of all ports, one port after the other */
    struct whittle_flow_receiver **lacking;             /* room for as many */
    size_t receiver_count;
    uint64_t within;                /* how long a packet waits for its other, in nanoseconds */
    bool (*match)(const void *one, const void *other);  /* packets of the first port and of the second: whether they are a pair */
    bool over;                      /* the middle is not called again */
};

/*
 * Waits until a time of CLOCK_MONOTONIC, UINT64_MAX: for ever, for packets that belong together: they stand at the ports until the
 * next call. False: none have come, or, where `over` says so, none will.
 * all: one of each port, where it arrived, in hand. Over when a port that lacks one has ended.
 * latest: one that has come, and of each other port the newest, once each has had one. Over when all have ended.
 * pair: one of each of two ports, if `match` holds; the oldest such. Others wait, as copies, `within` so long, and no more of a port
 *   than its room is for: what must go is dropped, counted as unmatched. Over when a port has ended of which none waits.
 */
bool whittle_flow_wait_all(struct whittle_flow_wait *wait, uint64_t until);
bool whittle_flow_wait_latest(struct whittle_flow_wait *wait, uint64_t until);
bool whittle_flow_wait_pair(struct whittle_flow_wait *wait, uint64_t until);

/* When the first of these packets was let go by its source; the present time where none carries it. */
uint64_t whittle_flow_wait_born(const struct whittle_flow_wait *wait, bool one_clock);

/* The middle has had its last packets: what still waits for others is dropped, counted as unmatched. */
void whittle_flow_wait_end(struct whittle_flow_wait *wait);

#ifdef __cplusplus
}
#endif
#endif
