/* SPDX-License-Identifier: MIT-0 */
/*
 * The ledger: what becomes of each packet, per end of an edge, in a page that outlives the process. A file
 * NUMBER.sender or NUMBER.receiver in the flow's directory, of one page, mapped by the process whose end it is; anybody
 * else of the same user may map it to look. The file names its own counters: a reader needs only the head.
 *
 * A packet's way: offered (whittle_flow_send) -> queued -> sent (handed to a connection; its number in the edge's sequence is
 * the count of packets sent before) -> taken (whittle_flow_receive) -> delivered (whittle_flow_done). For the two pages of an edge:
 *     offered = delivered + dropped + filtered + faulty + unknown (each of both pages) + in flight
 * where each term comes from counters of its own, in flight being what waits (queued, not sent), what is under way
 * (sent, not taken), what is in hand (taken, not done) and what is kept (copies that wait in the stage for packets of other ports).
 */
#ifndef WHITTLE_FLOW_LEDGER_H
#define WHITTLE_FLOW_LEDGER_H
#include <stdint.h>

#define WHITTLE_FLOW_LEDGER_MAGIC "whtledg1"
enum { WHITTLE_FLOW_LEDGER_VERSION = 1, WHITTLE_FLOW_COUNTERS = 48, WHITTLE_FLOW_LEDGER_BUCKETS = 64, WHITTLE_FLOW_LEDGER_BYTES = 4096 };

enum whittle_flow_counter {
    /*
     * Where the stream stands, in bytes; for packets of one size (`stride` is not 0) the only thing written per packet,
     * so that counts are to be read with the functions below.
     */
    WHITTLE_FLOW_AT,
    WHITTLE_FLOW_MARK,           /* the position at which `queued` or `taken` was right */
    WHITTLE_FLOW_STRIDE,
    WHITTLE_FLOW_DONE_AT,        /* receiver: the position up to which packets are done; elsewhere than `at`: one is in hand */
    WHITTLE_FLOW_QUEUED,         /* sender: entered the queue */
    WHITTLE_FLOW_SENT,           /* sender: left it for a connection */
    WHITTLE_FLOW_ACKNOWLEDGED,   /* sender: and the receiver said so */
    WHITTLE_FLOW_TAKEN,          /* receiver: the number of the next packet in the edge's sequence */
    WHITTLE_FLOW_SKIPPED,        /* receiver: numbers that never came; the sender's page says why */
    WHITTLE_FLOW_DUPLICATES,     /* receiver: came again after a death, beside the identity */
    WHITTLE_FLOW_SETTLED,        /* receiver, over NATS: the losses that the sender has reported */
    WHITTLE_FLOW_SPARED,         /* sender: with `unknown`, `cut` and `gone` the number below which all losses are counted */
    WHITTLE_FLOW_UNKNOWN,        /* taken by a process that died, and not acknowledged */
    WHITTLE_FLOW_FAULTY,         /* not a value of its type: sender: not sent; receiver: not given to its stage */
    WHITTLE_FLOW_FILTERED,       /* sender, of a subscription: its receiver does not want such packets */
    /* Dropped, by reason: before the queue, out of it, on the way, at the receiver. */
    WHITTLE_FLOW_FULL_NEWEST,
    WHITTLE_FLOW_RATE,
    WHITTLE_FLOW_REFUSED,        /* offered after the receiver had refused more */
    WHITTLE_FLOW_FULL_OLDEST,
    WHITTLE_FLOW_ABANDONED,      /* waited, or was under way, when the edge ended without its receiver */
    WHITTLE_FLOW_CUT,            /* best effort: handed to a connection that died */
    WHITTLE_FLOW_GONE,           /* on its way to a subscriber that died, or did not come again in time */
    WHITTLE_FLOW_LATE,
    WHITTLE_FLOW_REPLACED,       /* of an edge that keeps the newest packet: a newer one had come; the same at a port whose newest its stage waits for */
    WHITTLE_FLOW_UNMATCHED,      /* its stage waited for packets of other ports that belong to it, and they did not come in time */
    WHITTLE_FLOW_REASONS_END,
    /* Beside the identity. */
    WHITTLE_FLOW_BYTES = WHITTLE_FLOW_REASONS_END,    /* on the wire, in batches */
    WHITTLE_FLOW_BATCHES,
    WHITTLE_FLOW_CONNECTIONS,
    WHITTLE_FLOW_STRANGERS,      /* connections of authenticated peers refused: not this edge's other end, or broken rules */
    WHITTLE_FLOW_WAITS,          /* the queue was full, the sender waited */
    WHITTLE_FLOW_MISSES,         /* deadline missed, dropped or not */
    WHITTLE_FLOW_LATENCY_COUNT,  /* in nanoseconds since the packet's source sent it; of an edge without stamps, of some packets, since its sender did */
    WHITTLE_FLOW_LATENCY_SUM,
    WHITTLE_FLOW_LATENCY_LARGEST,
    WHITTLE_FLOW_ALTERED,        /* times that bytes came which the peer had not sent so; over NATS: messages of others */
    WHITTLE_FLOW_KEPT,           /* receiver, in the identity: copies that wait in the stage now */
    WHITTLE_FLOW_COUNTERS_USED
};

enum whittle_flow_ledger_state { WHITTLE_FLOW_FRESH, WHITTLE_FLOW_RUNNING, WHITTLE_FLOW_ENDED };

/* Where a receiver's stream goes on, which several counters hold. */
struct whittle_flow_jump { uint64_t stream, count, bytes, skipped, unknown; };

struct whittle_flow_ledger {
    char magic[8];
    uint32_t version;
    uint32_t counters;          /* used */
    uint32_t buckets;           /* of the histogram: bucket n counts latencies of n significant bits */
    uint32_t number;            /* the edge's */
    uint32_t receiver;          /* 0: the sender's end */
    uint32_t state;             /* enum whittle_flow_ledger_state; running in a file that nobody locks: its process died */
    uint64_t fingerprint;       /* of the type */
    uint64_t stream;            /* a random number, new with each run of the edge: distinguishes sequences */
    uint64_t incarnation;       /* processes that have held this end in this run */
    uint64_t process;           /* the last one's id */
    uint64_t started;           /* and when it began, nanoseconds of CLOCK_REALTIME */
    char flow[64], edge[128], type[64], program[64];
    uint64_t stream_began;      /* when that run of the edge began, nanoseconds of CLOCK_REALTIME: an earlier one is over */
    struct whittle_flow_jump jump;
    uint64_t jumps;             /* not 0: a process may have died while it wrote the counters that `jump` holds; the next one writes them again */
    char reserved[56];
    char names[WHITTLE_FLOW_COUNTERS][32];
    uint64_t counter[WHITTLE_FLOW_COUNTERS];
    uint64_t latency[WHITTLE_FLOW_LEDGER_BUCKETS];
};
_Static_assert(sizeof(struct whittle_flow_ledger) <= WHITTLE_FLOW_LEDGER_BYTES, "one page");

static inline __attribute__((unused)) uint64_t whittle_flow_counter(const struct whittle_flow_ledger *page, enum whittle_flow_counter which)
{
    return __atomic_load_n(&page->counter[which], __ATOMIC_RELAXED);
}

/* Packets since the mark. */
static inline __attribute__((unused)) uint64_t whittle_flow_counted(const struct whittle_flow_ledger *page)
{
    const uint64_t stride = whittle_flow_counter(page, WHITTLE_FLOW_STRIDE);
    return stride == 0 ? 0 : (whittle_flow_counter(page, WHITTLE_FLOW_AT) - whittle_flow_counter(page, WHITTLE_FLOW_MARK)) / stride;
}

static inline __attribute__((unused)) uint64_t whittle_flow_ledger_queued(const struct whittle_flow_ledger *page)
{
    return whittle_flow_counter(page, WHITTLE_FLOW_QUEUED) + whittle_flow_counted(page);
}

static inline __attribute__((unused)) uint64_t whittle_flow_ledger_offered(const struct whittle_flow_ledger *page)
{
    return whittle_flow_ledger_queued(page) + whittle_flow_counter(page, WHITTLE_FLOW_FULL_NEWEST) + whittle_flow_counter(page, WHITTLE_FLOW_RATE)
        + whittle_flow_counter(page, WHITTLE_FLOW_FAULTY) + whittle_flow_counter(page, WHITTLE_FLOW_FILTERED) + whittle_flow_counter(page, WHITTLE_FLOW_REFUSED);
}

/* Packets of the sequence that a sender has counted as lost: its receiver skips their numbers. */
static inline __attribute__((unused)) uint64_t whittle_flow_ledger_lost(const struct whittle_flow_ledger *page)
{
    return whittle_flow_counter(page, WHITTLE_FLOW_UNKNOWN) + whittle_flow_counter(page, WHITTLE_FLOW_CUT) + whittle_flow_counter(page, WHITTLE_FLOW_GONE);
}

/* In the sender's queue now. */
static inline __attribute__((unused)) uint64_t whittle_flow_ledger_waiting(const struct whittle_flow_ledger *page)
{
    return whittle_flow_ledger_queued(page) - whittle_flow_counter(page, WHITTLE_FLOW_SENT) - whittle_flow_counter(page, WHITTLE_FLOW_FULL_OLDEST)
        - whittle_flow_counter(page, WHITTLE_FLOW_ABANDONED);
}

static inline __attribute__((unused)) uint64_t whittle_flow_ledger_taken(const struct whittle_flow_ledger *page)
{
    return whittle_flow_counter(page, WHITTLE_FLOW_TAKEN) + whittle_flow_counted(page);
}

/* Whether the receiver has one in hand. */
static inline __attribute__((unused)) uint64_t whittle_flow_ledger_hand(const struct whittle_flow_ledger *page)
{
    return whittle_flow_counter(page, WHITTLE_FLOW_AT) != whittle_flow_counter(page, WHITTLE_FLOW_DONE_AT);
}

/* In hand, or kept. */
static inline __attribute__((unused)) uint64_t whittle_flow_ledger_kept(const struct whittle_flow_ledger *page)
{
    return whittle_flow_ledger_hand(page) + whittle_flow_counter(page, WHITTLE_FLOW_KEPT);
}

static inline __attribute__((unused)) uint64_t whittle_flow_ledger_delivered(const struct whittle_flow_ledger *page)
{
    return whittle_flow_ledger_taken(page) - whittle_flow_counter(page, WHITTLE_FLOW_SKIPPED) - whittle_flow_counter(page, WHITTLE_FLOW_UNKNOWN)
        - whittle_flow_counter(page, WHITTLE_FLOW_FAULTY) - whittle_flow_counter(page, WHITTLE_FLOW_LATE)
        - whittle_flow_counter(page, WHITTLE_FLOW_REPLACED) - whittle_flow_counter(page, WHITTLE_FLOW_UNMATCHED) - whittle_flow_ledger_kept(page);
}

/* All that a page says was dropped. */
static inline __attribute__((unused)) uint64_t whittle_flow_ledger_dropped(const struct whittle_flow_ledger *page)
{
    uint64_t sum = 0;
    for (int reason = WHITTLE_FLOW_FULL_NEWEST; reason < WHITTLE_FLOW_REASONS_END; reason++)
        sum += page->counter[reason];
    return sum;
}
#endif
