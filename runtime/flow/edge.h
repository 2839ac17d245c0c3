/* SPDX-License-Identifier: MIT-0 */
/* What the compiler writes of a flow: the types of its packets, its edges, the same at both ends of each, and the ends. */
#ifndef WHITTLE_FLOW_EDGE_H
#define WHITTLE_FLOW_EDGE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A value in packets that a condition may look at: how it is compared, and where it stands, in an array at its first element. */
enum whittle_flow_kind {
    WHITTLE_FLOW_SIGNED, WHITTLE_FLOW_UNSIGNED, WHITTLE_FLOW_FLOAT, WHITTLE_FLOW_TRUTH, WHITTLE_FLOW_TEXT, WHITTLE_FLOW_POINTED_TEXT, WHITTLE_FLOW_CHARACTER,
    WHITTLE_FLOW_ENUMERATION
};
struct whittle_flow_member { const char *name; int64_t value; };
struct whittle_flow_field {
    size_t offset, bytes;
    enum whittle_flow_kind kind;
    uint32_t dimensions;            /* of the arrays around it, the outermost first */
    struct { uint32_t count; size_t stride; } dimension[3];
    const char *name;               /* as conditions name it, elements without their numbers: `past[].x` */
    uint64_t most;                  /* of a count, and of the bytes of a text; 0: no bound is known */
    const struct whittle_flow_member *members;   /* of an enumeration */
    size_t member_count;
};

/* A type of packets. */
struct whittle_flow_type {
    const char *name;
    uint64_t fingerprint;   /* of its schema: peers that differ are refused */
    uint32_t size;          /* of the structure in memory, arrays and strings at their bounds */
    uint32_t alignment;
    const char *schema;     /* its encoding, its fields, their bounds, units and ranges, as S-expressions; NULL: not known */
    /*
     * In place: the bytes on the wire are the first bytes of the structure. `fixed` are always there; `used` says how
     * many there are in all for the packet whose first `fixed` bytes are given, or 0 where these say more than the
     * bounds allow. NULL: always `size`.
     */
    uint32_t fixed;         /* 0: not in place; encode and decode are there */
    uint32_t (*used)(const void *packet);
    /* In either form, looks at a packet whose counts are within their bounds: at booleans that lie in place, and at ranges. NULL: all is well. */
    bool (*valid)(const void *packet);
    /*
     * Encoded: `encode` writes at most `largest` bytes and returns how many, 0 where the packet is at fault (a count
     * above its bound, a string without end). `decode` fills a zeroed structure from exactly `bytes` bytes, reads no
     * byte twice, and leaves nothing allocated where it returns false. `release` releases what it allocated; may be
     * NULL.
     */
    uint32_t largest;
    size_t (*encode)(const void *packet, uint8_t *at, size_t room);
    bool (*decode)(void *packet, const uint8_t *at, size_t bytes);
    void (*release)(void *packet);
};

enum whittle_flow_transport { WHITTLE_FLOW_TCP, WHITTLE_FLOW_UNIX, WHITTLE_FLOW_SHM, WHITTLE_FLOW_NATS, WHITTLE_FLOW_DDS, WHITTLE_FLOW_DIRECT };
enum whittle_flow_delivery { WHITTLE_FLOW_BEST_EFFORT, WHITTLE_FLOW_RELIABLE, WHITTLE_FLOW_DURABLE };
enum whittle_flow_full { WHITTLE_FLOW_BLOCK, WHITTLE_FLOW_DROP_OLDEST, WHITTLE_FLOW_DROP_NEWEST };

/* What advice of an aspect, and a function after `else call`, is called with. Times in nanoseconds. */
struct whittle_flow_moment {
    const char *flow;
    const char *stage;
    const char *edge;       /* NULL before and after a middle */
    const void *packet;     /* NULL before and after a middle */
    const struct whittle_flow_type *type;
    uint64_t late;          /* on miss: since the packet's source sent it */
};
typedef void whittle_flow_advice(const struct whittle_flow_moment *moment);

/* An edge, as the flow describes it; the same on both its ends. */
struct whittle_flow_edge {
    const char *flow;
    const char *name;               /* "Camera.f -> Gray.a" */
    const char *from, *to;          /* the stages' names */
    const char *program;            /* the receiver's; NULL: not known */
    const char *host;               /* the receiver's machine, or its address there; NULL: this one */
    uint16_t port;                  /* of that address; 0: it follows from the first port */
    uint16_t number;                /* in the flow */
    uint16_t shares;                /* its connections come to the socket of the edge so many numbers before it, which enters the same process; 0: to its own */
    bool replayed;                  /* packets begin at its sender, and its recording stands for all edges of the outport */
    enum whittle_flow_transport transport;
    enum whittle_flow_delivery delivery;
    enum whittle_flow_full full;
    bool trusted;                   /* shared memory is read in place */
    bool stamped;                   /* each packet carries the time at which its source sent it */
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
    bool latest;                    /* only the newest packet counts: it replaces what was not taken; `full` drops the oldest */
    bool feedback;                  /* it leads back to where its sender's packets come from: it never closes, nor keeps its sender from ending */
    bool subscription;              /* of a channel: its receiver comes and goes, and its sender does not wait for one */
    bool faulty_stops;              /* a packet at fault ends the process, with a status; else it is counted, and the flow goes on */
    const char *filter;             /* of a subscription: which packets it wants, as the flow says it; NULL: all */
    const uint8_t *filter_code;     /* and as data, for a sender that was built with another condition (filter.c); NULL: it cannot be sent */
    uint32_t filter_bytes;
    const struct whittle_flow_type *filter_type;     /* of a subscription: of the packets that conditions are asked of */
    const struct whittle_flow_field *fields;         /* and what conditions that come as data may look at; where there are none, they are refused */
    size_t field_count;
    whittle_flow_advice *const *on_send; /* lists that end with NULL, or NULL; on_miss has the function of `else call` */
    whittle_flow_advice *const *on_full;
    whittle_flow_advice *const *on_miss;
    const struct whittle_flow_type *type;
};

/* How a sender makes the packets of a subscriber that selected fields: of a packet of its own that is a value of its type. */
struct whittle_flow_projection {
    const struct whittle_flow_type *whole;   /* of its own */
    void (*take)(void *part, const void *whole);
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
    bool (*wants)(const void *packet);  /* of a subscription with a filter: whether its receiver wants a packet that is a value of its type */
    const struct whittle_flow_projection *projection;    /* of one that selects fields; NULL: whole packets are sent */
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
    uint8_t *where;         /* which packets it wants of those that its edge says (whittle_flow_where), as a program; NULL: all */
    uint32_t where_bytes;
};

/* An edge within the process: the sender calls the receiver. */
struct whittle_flow_call {
    const struct whittle_flow_edge *edge;
    struct whittle_flow_link *link;
};

#ifdef __cplusplus
}
#endif
#endif
