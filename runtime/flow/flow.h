/* SPDX-License-Identifier: MIT-0 */
/*
 * Flows at run time: what generated stages and mains call. A process has edges that leave it (senders) and edges that
 * enter it (receivers), each described by a constant that the compiler wrote from the flow; this library carries the
 * packets, keeps the promises on the description, and counts what becomes of each packet.
 *
 * Sending never copies a packet that is its own image on the wire: `whittle_flow_room` is where the next packet is to be
 * written, inside the edge's ring, and `whittle_flow_send` lets it go. Source: Swint, Pu and others, "Infopipes: The
 * ISL/ISG Implementation Evaluation", section 3 (one structure per port).
 */
#ifndef WHITTLE_FLOW_H
#define WHITTLE_FLOW_H
#include "../net/version.h"
#include "room.h"
#include "wait.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One process of a flow. */
struct whittle_flow_process {
    const char *flow;
    const char *name;               /* of the program, for its messages */
    struct whittle_flow_sender *const *senders;
    size_t sender_count;
    struct whittle_flow_receiver *const *receivers;
    size_t receiver_count;
    struct whittle_flow_call *const *calls;
    size_t call_count;
    struct whittle_flow_fan *const *fans;        /* its outports that send to channels */
    size_t fan_count;
    const struct whittle_flow_transport_functions *nats;     /* &whittle_flow_nats where an edge goes over a NATS server; else NULL */
    const struct whittle_flow_transport_functions *dds;      /* &whittle_flow_dds where an edge goes over DDS; else NULL */
    const struct whittle_flow_security *security;    /* &whittle_flow_keyed where an edge goes over a network; else NULL */
    struct whittle_flow_event_loop *loop;
};

/* Edges over a NATS server (whittle_nats.c, which needs libnats; nothing else does). */
extern const struct whittle_flow_transport_functions whittle_flow_nats;

/* Edges over DDS (whittle_dds.c, which needs Cyclone DDS; nothing else does). */
extern const struct whittle_flow_transport_functions whittle_flow_dds;

/* What authenticates edges over a network (whittle_key.c, which needs OpenSSL's libcrypto; nothing else does). */
extern const struct whittle_flow_security whittle_flow_keyed;

/*
 * Opens every edge of the process: receivers listen, senders begin to connect (and go on trying). Reads the options
 * that all programs of flows have (--help says which: the first port, the directory of sockets and counters). Catches
 * SIGINT and SIGTERM: the first asks the sources to end. On false the reason has been printed and nothing is open.
 */
bool whittle_flow_begin(struct whittle_flow_process *process, int argc, char **argv);

/*
 * A condition of this program's own, in the language of `where`: of the packets that come to a port which subscribes, it wants those of which
 * it holds. Senders ask it, beside the one in the flow. To be called before whittle_flow_begin, or in a stage's beginning; what several calls
 * say must hold together. `--where 'STAGE.PORT: CONDITION'` does the same. False: the reason has been printed.
 */
bool whittle_flow_where(struct whittle_flow_process *process, const char *stage, const char *port, const char *condition);

/*
 * Waits until what was sent has arrived, or cannot any more; closes all; prints what was lost, if anything was. The
 * exit status: 0, or 1 where something was lost that was promised.
 */
int whittle_flow_end(struct whittle_flow_process *process);

/*
 * An outport that sends to a channel: the edges to all who may subscribe, and how many of the packets before it a new subscriber
 * gets. Zeroed but for what the compiler writes, it is ready for whittle_flow_begin. whittle_flow_publish gives a packet to all who have
 * subscribed now, as the contract of each says: waits, or drops, where its queue is full. WHITTLE_FLOW_IS_DROPPED: nobody has.
 */
struct whittle_flow_backlog;
struct whittle_flow_fan {
    const char *channel;
    struct whittle_flow_sender *const *senders;
    size_t count;
    uint32_t history;
    struct whittle_flow_backlog *backlog;
};
enum whittle_flow_result whittle_flow_publish(struct whittle_flow_fan *fan, const void *packet, uint64_t born);

/*
 * Runs the stages that act by themselves, each in a thread of its own, and returns when all have ended. On false a
 * thread could not be started, which has been said.
 */
typedef void whittle_flow_run_stage(void);
bool whittle_flow_run(struct whittle_flow_process *process, whittle_flow_run_stage *const *stages, size_t count);

/*
 * What stands for a source's middle where packets are replayed: for each outport the link of an edge that leaves it, and
 * what sends a packet through the port. `whittle_flow_replay` sends all that was recorded, or returns false at once where
 * nothing is to be replayed; `whittle_flow_replay_next` sends one packet, where `whittle_flow_replays` says so.
 */
struct whittle_flow_track {
    struct whittle_flow_link *const *link;
    bool (*send)(const void *packet);
};
bool whittle_flow_replay(const struct whittle_flow_track *tracks, size_t count);
bool whittle_flow_replays(const struct whittle_flow_track *tracks, size_t count);
bool whittle_flow_replay_next(const struct whittle_flow_track *tracks, size_t count);

/*
 * Timers: whittle_flow_rings says whether one is due, and lowers *next (0: not set) to when it is due again; what was missed for a whole
 * period is left out. Who has nothing else to do naps until a time, or until a stage of the process has ended since
 * whittle_flow_end_count was called.
 */
struct whittle_flow_timer { uint64_t period, due; };
bool whittle_flow_rings(struct whittle_flow_timer *timer, uint64_t *next);
uint32_t whittle_flow_end_count(void);
void whittle_flow_nap(uint64_t until, uint32_t ends);
void whittle_flow_wake(void);                           /* a stage has ended */
uint64_t whittle_flow_after(uint64_t nanoseconds);      /* from now; 0 for 0 */
static inline uint64_t whittle_flow_sooner(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

/*
 * A stage cannot go on: says so, with its name and the reason; the process ends with status 1, and its sources end. Between the stages'
 * beginnings and their runs main asks whether all could begin.
 */
void whittle_flow_fail(struct whittle_flow_process *process, const char *stage, const char *reason);
bool whittle_flow_may_run(struct whittle_flow_process *process);

/* A source may go on: nobody has asked the flow to end. */
bool whittle_flow_goes_on(void);

/*
 * Around a call from stage to stage: counts the packet as offered, and once taken as delivered. False where the packet
 * is too old for the edge and goes, counted; it is not to be handed on then.
 */
bool whittle_flow_offer(struct whittle_flow_call *call, const void *packet, uint64_t born);
void whittle_flow_taken(struct whittle_flow_call *call);
void whittle_flow_not_taken(struct whittle_flow_call *call);  /* the stage has ended: counted as refused; NULL: no call */

/* What waits in the senders of this process for company goes now: before a stage waits for something of its own. */
void whittle_flow_flush(struct whittle_flow_process *process);

/* No packet follows: the receiver sees the end once all has arrived. */
void whittle_flow_close(struct whittle_flow_sender *sender);

/*
 * The next packet, or NULL at the end of the edge. The packet stays as it is until whittle_flow_done, which counts it as
 * delivered and lets its place be used again; the next whittle_flow_receive does so, too. Flushes the process's senders
 * before it waits.
 */
const void *whittle_flow_receive_on(struct whittle_flow_receiver *receiver);      /* what whittle_flow_receive leaves to do */
static inline const void *whittle_flow_receive(struct whittle_flow_receiver *receiver)
{
    const uint64_t at = *receiver->at;
    if (__builtin_expect(at >= receiver->limit, 0))
        return whittle_flow_receive_on(receiver);
    __atomic_store_n(receiver->at, at + receiver->step, __ATOMIC_RELAXED);
    return (const void *)(receiver->base + (uintptr_t)at);
}
/*
 * As whittle_flow_receive, and all that stand behind the packet, one after the other, of `size` bytes each: how many; 0: the end. The
 * first is in hand, the others are on their way until the batch is done: should the process die, they come again.
 */
static inline size_t whittle_flow_receive_batch(struct whittle_flow_receiver *receiver, const void **first, size_t size)
{
    *first = whittle_flow_receive(receiver);
    const uint64_t at = *receiver->at;
    if (*first == NULL || receiver->step != size || receiver->limit <= at)
        return *first != NULL;
    receiver->behind = receiver->limit - at;
    receiver->limit = at;
    return 1 + (size_t)(receiver->behind / size);
}
void whittle_flow_done_on(struct whittle_flow_receiver *receiver);                /* what whittle_flow_done leaves to do */
static inline void whittle_flow_done(struct whittle_flow_receiver *receiver)
{
    if (receiver->step != 0 && receiver->behind == 0)
        __atomic_store_n(receiver->done, *receiver->at, __ATOMIC_RELAXED);
    else
        whittle_flow_done_on(receiver);
}

/*
 * The same for a stage that takes packet after packet, with all that a packet needs at hand: zeroed at first; until
 * whittle_flow_done is called, for the last, nothing else is to be done with the receiver. A packet is done when the next is
 * asked for: until then one is in hand, which is all that the ledger says.
 */
struct whittle_flow_run {
    uintptr_t place, end, base;
    uint64_t step;
    uint64_t *at;
};
static inline const void *whittle_flow_run_next(struct whittle_flow_run *run, struct whittle_flow_receiver *receiver)
{
    const void *packet = (const void *)run->place;
    if (__builtin_expect(run->place < run->end, 1)) {
        run->place += (uintptr_t)run->step;
        __atomic_store_n(run->at, (uint64_t)(run->place - run->base), __ATOMIC_RELAXED);
        return packet;
    }
    packet = whittle_flow_receive(receiver);
    const uint64_t at = *receiver->at, more = receiver->limit > at ? receiver->limit - at : 0;
    const uintptr_t place = receiver->base + (uintptr_t)at;
    const struct whittle_flow_run next = {place, place + (uintptr_t)more, receiver->base, receiver->step, receiver->at};
    *run = next;
    return packet;
}

/* When the packet in hand was released by its source; 0 on an edge without stamps. */
uint64_t whittle_flow_born(const struct whittle_flow_receiver *receiver);

/*
 * The next packet of any of some receivers, greater priority first; *which is set to the receiver's place among them.
 * NULL when all have ended.
 */
const void *whittle_flow_receive_any(struct whittle_flow_receiver *const *receivers, size_t count, size_t *which);

/*
 * The same until a time of CLOCK_MONOTONIC, in nanoseconds; 0: what is there. NULL where none has come, too: whittle_flow_is_over
 * says whether none will.
 */
const void *whittle_flow_receive_until(struct whittle_flow_receiver *const *receivers, size_t count, uint64_t until, size_t *which);
bool whittle_flow_is_over(struct whittle_flow_receiver *const *receivers, size_t count);

/* No packet of the edge is wanted any more: the sender is notified, and its sends return false. */
void whittle_flow_refuse(struct whittle_flow_receiver *receiver);

/* Waits until a source with a steady rate is due again; `next` is zero before the first time. */
void whittle_flow_pace(uint64_t *next, uint64_t units, uint64_t period);
bool whittle_flow_pace_until(uint64_t *next, uint64_t units, uint64_t period, uint64_t until);    /* false: it is not due yet */

/* The clock of stamps. */
uint64_t whittle_flow_now(bool one_clock);

/*
 * The names that middles and advice had before; the next release goes without them. WHITTLE_FLOW_NO_OLD_NAMES leaves
 * them out now.
 */
#ifndef WHITTLE_FLOW_NO_OLD_NAMES
#define whittle_moment whittle_flow_moment
#define whittle_advice whittle_flow_advice
#define whittle_goes_on whittle_flow_goes_on
#endif

#ifdef __cplusplus
}
#endif
#endif
