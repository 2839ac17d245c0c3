/* SPDX-License-Identifier: MIT-0 */
/*
 * Flows at run time: what generated stages and mains call. A process has edges that leave it (senders) and edges that
 * enter it (receivers), each described by a constant that the compiler wrote from the flow; this library carries the
 * packets, keeps the promises on the description, and counts what becomes of each packet.
 *
 * Sending never copies a packet that is its own image on the wire: `whittle_flow_room` is where the next packet is to be
 * written, inside the edge's ring, and `whittle_flow_send` lets it go. Source: Swint, Pu and others, "Infopipes: The
 * ISL/ISG Implementation Evaluation", section 3 (one structure per port); whittle's DESIGN, section 5.
 */
#ifndef WHITTLE_FLOW_H
#define WHITTLE_FLOW_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A type of packets. */
struct whittle_flow_type {
    const char *name;
    uint64_t fingerprint;   /* of its fields, units and encoding: peers that differ are refused */
    uint32_t size;          /* of the structure in memory, arrays and strings at their bounds */
    uint32_t alignment;
    /*
     * In place: the bytes on the wire are the first bytes of the structure. `fixed` are always there; `used` says how
     * many there are in all for the packet whose first `fixed` bytes are given, or 0 where these say more than the
     * bounds allow. NULL: always `size`. `valid` looks at values that not every byte may be (booleans); may be NULL.
     */
    uint32_t fixed;         /* 0: not in place; encode and decode are there */
    uint32_t (*used)(const void *packet);
    bool (*valid)(const void *packet);
    /*
     * Encoded: `encode` writes at most `largest` bytes and returns how many, 0 where the packet is at fault (a count
     * above its bound, a string without end). `decode` fills a zeroed structure from exactly `bytes` bytes, reads no
     * byte twice, and leaves nothing allocated where it returns false. `release` lets go of what it allocated; may be
     * NULL.
     */
    uint32_t largest;
    size_t (*encode)(const void *packet, uint8_t *at, size_t room);
    bool (*decode)(void *packet, const uint8_t *at, size_t bytes);
    void (*release)(void *packet);
};

enum whittle_flow_transport { WHITTLE_FLOW_TCP, WHITTLE_FLOW_UNIX, WHITTLE_FLOW_SHM, WHITTLE_FLOW_NATS, WHITTLE_FLOW_DIRECT };
enum whittle_flow_delivery { WHITTLE_FLOW_BEST_EFFORT, WHITTLE_FLOW_RELIABLE, WHITTLE_FLOW_DURABLE };
enum whittle_flow_full { WHITTLE_FLOW_BLOCK, WHITTLE_FLOW_DROP_OLDEST, WHITTLE_FLOW_DROP_NEWEST };

/* What advice of an aspect, and a function after `else call`, is told. Times in nanoseconds. */
struct whittle_flow_moment {
    const char *flow;
    const char *stage;
    const char *edge;       /* NULL before and after a middle */
    const void *packet;     /* NULL before and after a middle */
    const struct whittle_flow_type *type;
    uint64_t late;          /* on miss: since the packet's source let it go */
};
typedef void whittle_flow_advice(const struct whittle_flow_moment *moment);

/* An edge, as the flow describes it; the same on both its ends. */
struct whittle_flow_edge {
    const char *flow;
    const char *name;               /* "Camera.f -> Gray.a" */
    const char *from, *to;          /* the stages' names */
    const char *program;            /* the receiver's; NULL: not known */
    const char *host;               /* the receiver's machine; NULL: this one */
    uint16_t number;                /* in the flow: tells its sockets from other edges' */
    bool replayed;                  /* packets begin at its sender, and its recording stands for all edges of the outport */
    enum whittle_flow_transport transport;
    enum whittle_flow_delivery delivery;
    enum whittle_flow_full full;
    bool trusted;                   /* shared memory is read in place */
    bool stamped;                   /* each packet carries the time at which its source let it go */
    bool one_clock;                 /* all stages are on one machine: stamps are of CLOCK_MONOTONIC, else CLOCK_REALTIME */
    uint8_t priority;               /* greater goes first where edges meet at a stage */
    uint64_t queue_items;           /* that may wait; 0: no bound of items */
    uint64_t queue_bytes;           /* 0: no bound of bytes */
    uint32_t batch_items;           /* that go together at most; 0: as many as wait */
    uint64_t batch_within;          /* how long the first of a batch may wait, in nanoseconds; 0: the runtime decides */
    uint64_t rate_units, rate_period;   /* at most so many packets in so many nanoseconds; 0: any */
    uint64_t rate_bytes_units, rate_bytes_period;   /* the same in bytes */
    uint64_t deadline;              /* since the source, looked at when a packet is received; 0: none */
    bool deadline_drops;            /* what is late goes, counted */
    whittle_flow_advice *const *on_send; /* lists that end with NULL, or NULL; on_miss has the function of `else call` */
    whittle_flow_advice *const *on_full;
    whittle_flow_advice *const *on_miss;
    const struct whittle_flow_type *type;
};

/*
 * The two ends; zeroed but for `edge`, they are ready for whittle_flow_begin. What follows `link` is for the functions below
 * that are inline: `at` is the position of the next packet in the edge's stream (in the ledger's page, so that it
 * outlives the process), `base` the place of position 0, `step` the bytes of a packet that needs no look (0: each does),
 * and up to `limit` no more is to be done for a packet than to move on.
 */
struct whittle_flow_sender {
    const struct whittle_flow_edge *edge;
    struct whittle_flow_link *link;
    uintptr_t base;
    uint64_t *at;
    uint64_t step;
    uint64_t limit;
};
struct whittle_flow_receiver {
    const struct whittle_flow_edge *edge;
    struct whittle_flow_link *link;
    uintptr_t base;
    uint64_t *at;
    uint64_t *done;         /* up to here packets are done; meaningful where `step` is not 0 */
    uint64_t step;
    uint64_t limit;
    uint64_t behind;        /* bytes of a batch in hand behind `at`: they count as taken once it is done */
};

/* An edge within the process: the sender calls the receiver. */
struct whittle_flow_call {
    const struct whittle_flow_edge *edge;
    struct whittle_flow_link *link;
};

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
    const struct whittle_flow_channel *nats;     /* &whittle_flow_nats where an edge goes over a NATS server; else NULL */
    const struct whittle_flow_security *security;    /* &whittle_flow_keyed where an edge goes over a network; else NULL */
    struct whittle_flow_carrier *carrier;
};

/* Edges over a NATS server (whittle_nats.c, which needs libnats; nothing else does). */
extern const struct whittle_flow_channel whittle_flow_nats;

/* What authenticates edges over a network (whittle_key.c, which needs OpenSSL's libcrypto; nothing else does). */
extern const struct whittle_flow_security whittle_flow_keyed;

/*
 * Opens every edge of the process: receivers listen, senders begin to connect (and go on trying). Reads the options
 * that all programs of flows have (--help says which: the first port, the directory of sockets and counters). Catches
 * SIGINT and SIGTERM: the first asks the sources to end. On false the reason has been printed and nothing is open.
 */
bool whittle_flow_begin(struct whittle_flow_process *process, int argc, char **argv);

/*
 * Waits until what was sent has arrived, or cannot any more; closes all; prints what was lost, if anything was. The
 * exit status: 0, or 1 where something was lost that was promised.
 */
int whittle_flow_end(struct whittle_flow_process *process);

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

/* A source may go on: nobody has asked the flow to end. */
bool whittle_flow_goes_on(void);

/* Where the next packet is to be written: the same place until it is sent. Its bytes are of no meaning. */
static inline void *whittle_flow_room(struct whittle_flow_sender *sender)
{
    return (void *)(sender->base + (uintptr_t)*sender->at);
}

/*
 * Sends the packet at whittle_flow_room, as the edge's contract says: waits, or drops, where the queue is full. False where
 * the edge has ended, or the packet is at fault (said, counted): it is not sent then. `born` is the time the packet's
 * source let it go, in nanoseconds; 0: now. whittle_flow_send_next is told where the packet stands, and says where the next is
 * to be written: one that stands elsewhere than in the room is copied there.
 */
bool whittle_flow_send_on(struct whittle_flow_sender *sender, uint64_t born);     /* what the two below leave to do */
bool whittle_flow_send_copy(struct whittle_flow_sender *sender, const void *packet, uint64_t born);
static inline bool whittle_flow_send_next(struct whittle_flow_sender *sender, uint64_t born, void **room)
{
    const uintptr_t place = (uintptr_t)*room + (uintptr_t)sender->step;
    const uint64_t at = (uint64_t)((uintptr_t)*room - sender->base), next = (uint64_t)(place - sender->base);
    bool goes_on;
    if (__builtin_expect(at == *sender->at, 1)) {
        /* First the packet counts as sent, then the limit is looked at: whoever lowers it looks for packets after that. */
        __atomic_store_n(sender->at, next, __ATOMIC_RELEASE);
        *room = (void *)place;
        if (__builtin_expect(next < __atomic_load_n(&sender->limit, __ATOMIC_RELAXED), 1))
            return true;
        goes_on = whittle_flow_send_on(sender, born);
    } else
        goes_on = whittle_flow_send_copy(sender, *room, born);
    *room = whittle_flow_room(sender);
    return goes_on;
}
static inline bool whittle_flow_send(struct whittle_flow_sender *sender, uint64_t born)
{
    void *room = whittle_flow_room(sender);
    return whittle_flow_send_next(sender, born, &room);
}

/*
 * Many packets at a time. To move `room` on for each packet is to read from memory what was written there a moment ago,
 * the greater part of what a packet of a few bytes costs; here it moves once for all of them.
 * whittle_flow_room_for: so many packets of `size` bytes may be written from `room` on, one after the other, before they are
 * sent: one at least, and no more than 16 KB of them, since nobody sees them before.
 * whittle_flow_send_batch: sends `count` packets of `size` bytes that stand one after the other from *room on, there or in an
 * array of the caller's, which is copied. False where one of them could not be sent; those after it are not, then.
 */
enum { WHITTLE_FLOW_ROOM_MOST = 16384 };
static inline size_t whittle_flow_room_for(const struct whittle_flow_sender *sender, const void *room, size_t size)
{
    const uint64_t at = (uint64_t)((uintptr_t)room - sender->base), limit = __atomic_load_n(&sender->limit, __ATOMIC_RELAXED);
    const uint64_t most = limit <= at ? 0 : limit - at < WHITTLE_FLOW_ROOM_MOST ? limit - at : WHITTLE_FLOW_ROOM_MOST;
    return sender->step != size || at != *sender->at || most < size ? 1 : (size_t)(most / size);
}
static inline bool whittle_flow_send_batch(struct whittle_flow_sender *sender, uint64_t born, void **room, size_t size, size_t count)
{
    const unsigned char *packet = (const unsigned char *)*room;
    bool goes_on = true;
    if (count > 1 && count <= whittle_flow_room_for(sender, packet, size)) {
        packet += (count - 1) * size;
        __atomic_store_n(sender->at, *sender->at + (uint64_t)((count - 1) * size), __ATOMIC_RELEASE);
        count = 1;
    }
    for (; goes_on && count > 0; count--, packet += size) {
        *room = (void *)(uintptr_t)packet;
        goes_on = whittle_flow_send_next(sender, born, room);
    }
    return goes_on;
}

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
    *run = (struct whittle_flow_run){place, place + (uintptr_t)more, receiver->base, receiver->step, receiver->at};
    return packet;
}

/* When the packet in hand was let go by its source; 0 on an edge without stamps. */
uint64_t whittle_flow_born(const struct whittle_flow_receiver *receiver);

/*
 * The next packet of any of some receivers, greater priority first; *which is set to the receiver's place among them.
 * NULL when all have ended.
 */
const void *whittle_flow_receive_any(struct whittle_flow_receiver *const *receivers, size_t count, size_t *which);

/* No packet of the edge is wanted any more: the sender is told, and its sends return false. */
void whittle_flow_refuse(struct whittle_flow_receiver *receiver);

/* Waits until a source with a steady rate is due again; `next` is zero before the first time. */
void whittle_flow_pace(uint64_t *next, uint64_t units, uint64_t period);

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
