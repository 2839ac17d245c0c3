/* SPDX-License-Identifier: MIT-0 */
/*
 * What two ends of an edge say to each other: when a connection begins, in front of a batch, about what has come, and in
 * the head of memory that both see.
 */
#ifndef WHITTLE_FLOW_WIRE_H
#define WHITTLE_FLOW_WIRE_H
#include <stdint.h>

/*
 * docs/flow-handshake.md describes all of this. Where a connection is keyed, each message ends with a tag over what stands
 * before it (and over the packets of a batch); elsewhere tags are zero. All numbers little-endian, but `order`, which
 * shows the host's.
 */
enum { WHITTLE_FLOW_NONCE = 32, WHITTLE_FLOW_PROOF = 32, WHITTLE_FLOW_TAG = 16 };
enum whittle_flow_role { WHITTLE_FLOW_CONNECTOR = 1, WHITTLE_FLOW_ACCEPTOR = 2 };
enum whittle_flow_message { WHITTLE_FLOW_HELLO = 1, WHITTLE_FLOW_ANSWER, WHITTLE_FLOW_START, WHITTLE_FLOW_BATCH, WHITTLE_FLOW_ACKNOWLEDGEMENT, WHITTLE_FLOW_FRAME };
#define WHITTLE_FLOW_CHALLENGE_MAGIC "whittlek"

/* Both sides begin a keyed connection with one: a random number, and a proof that the key is known. */
struct whittle_flow_challenge {
    char magic[8];
    uint32_t protocol, role;
    uint8_t nonce[WHITTLE_FLOW_NONCE];
    uint8_t proof[WHITTLE_FLOW_PROOF];
};

/* hello.c: what is said when a connection begins. */
enum { WHITTLE_FLOW_PROTOCOL = 7, WHITTLE_FLOW_SAME_BYTES = 1, WHITTLE_FLOW_STAMPED = 2, WHITTLE_FLOW_SHARED = 4, WHITTLE_FLOW_IN_PLACE = 8 };
/* schema: as much as there is room for of the type's, so that the other end can say what differs. */
enum { WHITTLE_FLOW_SCHEMA_MOST = 1000 };
/* The edge of a hello that is a mux's: frames follow its answer. */
#define WHITTLE_FLOW_ALL_EDGES UINT32_MAX
struct whittle_flow_hello {
    char magic[8];
    uint32_t protocol, edge, flags, order;
    uint8_t sizes[8];               /* of char, short, int, long, pointers, float, double; and how long doubles align */
    uint64_t flow, fingerprint, stream, window;
    uint64_t items;                 /* packets that may be between the two middles; ~0: bytes are counted */
    uint32_t size, alignment, slots, stride;
    char type[64], name[64], who[64];   /* who: the process, for people */
    char schema[WHITTLE_FLOW_SCHEMA_MOST];
    uint8_t tag[WHITTLE_FLOW_TAG];
};
enum whittle_flow_verdict {
    WHITTLE_FLOW_ACCEPTED, WHITTLE_FLOW_OTHER_PROTOCOL, WHITTLE_FLOW_OTHER_EDGE, WHITTLE_FLOW_OTHER_TYPE, WHITTLE_FLOW_OTHER_MACHINE, WHITTLE_FLOW_OTHER_TERMS,
    WHITTLE_FLOW_HELD               /* another sender has the edge: `type` says who */
};
/*
 * filter: the condition of a subscriber that the sender was built without, as `filters` says: in place of the one that the sender was built with
 * (no bytes: all packets are wanted), or beside it. Where the sender's type is refused, the receiver's schema stands there.
 */
enum { WHITTLE_FLOW_FILTER_MOST = WHITTLE_FLOW_SCHEMA_MOST };
enum whittle_flow_filters { WHITTLE_FLOW_FILTERS_NOT, WHITTLE_FLOW_FILTERS_INSTEAD, WHITTLE_FLOW_FILTERS_BESIDE };
struct whittle_flow_answer {
    char magic[8];
    uint32_t protocol, verdict;
    uint64_t fingerprint, known, count;     /* whether the stream is known; the packets of it that have come */
    char type[64];
    uint64_t filter_type;                   /* the fingerprint of the packets that it is asked of */
    uint32_t filters, filter_bytes;
    uint8_t filter[WHITTLE_FLOW_FILTER_MOST];
    uint8_t tag[WHITTLE_FLOW_TAG];
};
/*
 * What stands before packets takes a line of the processor's cache, whatever it says: packets then stand in the system's
 * buffers as in the sender's ring, modulo 64. Processors whose copying instruction is fast copy twenty times more slowly
 * to a place that is some bytes ahead of where they copy from, modulo 4096 (measured on Zen 3: 1 to 31 bytes).
 */
enum { WHITTLE_FLOW_LINE = 64 };
/* refused: the condition in the answer is, and the connection ends; why, as wanted.c counts the reasons; 0: it is not. */
struct whittle_flow_start { uint64_t count, bytes, refused, rest[3]; uint8_t tag[WHITTLE_FLOW_TAG]; };
enum { WHITTLE_FLOW_REFUSE = 1, WHITTLE_FLOW_HEARD_END = 2 };
struct whittle_flow_acknowledgement { uint64_t count, bytes, flags; uint8_t tag[WHITTLE_FLOW_TAG]; };
enum { WHITTLE_FLOW_END = 1 };
/* born: when one of the batch's packets was offered, where packets do not say so themselves; 0: nobody looked. */
struct whittle_flow_batch { uint32_t bytes, flags; uint64_t born, rest[4]; uint8_t tag[WHITTLE_FLOW_TAG]; };
/*
 * What a mux carries: each message of an edge in as many frames as it takes, behind its head. turn: which of the edge's substreams over this
 * mux is meant. credit: bytes that have been read, and may be sent again.
 */
enum whittle_flow_frame_kind { WHITTLE_FLOW_OPENS_SUBSTREAM = 1, WHITTLE_FLOW_CARRIES, WHITTLE_FLOW_GIVES_CREDIT, WHITTLE_FLOW_SHUTS, WHITTLE_FLOW_CLOSES };
struct whittle_flow_frame { uint32_t kind, edge, turn, bytes; uint64_t credit, rest[3]; uint8_t tag[WHITTLE_FLOW_TAG]; };
_Static_assert(sizeof(struct whittle_flow_frame) == WHITTLE_FLOW_LINE, "no padding");
_Static_assert(sizeof(struct whittle_flow_start) == WHITTLE_FLOW_LINE && sizeof(struct whittle_flow_batch) == WHITTLE_FLOW_LINE, "no padding");

/* A position beyond this one comes from a peer at fault: no edge carries so much. */
#define WHITTLE_FLOW_POSITION_MOST (UINT64_C(1) << 60)

/* What a shared ring's two ends say to each other; each line is written by one side, but for the two wishes. */
struct whittle_flow_shared {
    uint64_t head;              /* packets sent */
    uint32_t ended;
    uint32_t receiver_sleeps;   /* set by the receiver, on the line that the sender has at hand */
    char sender_line[112];
    uint64_t taken;             /* packets taken; the lowest bit: one is being copied */
    uint64_t copying;           /* its number */
    uint32_t sender_sleeps;
    uint32_t end_heard;         /* set by the receiver: it has taken all, and knows that no more comes */
    char receiver_line[104];
};
enum { WHITTLE_FLOW_SHARED_HEAD = 4096, WHITTLE_FLOW_SLOT_HEAD = 16 };
/* born: of each packet of an edge with stamps, and of some of another's; else 0. */
enum { WHITTLE_FLOW_SAMPLED = 16 };
struct whittle_flow_slot_head { uint64_t born; uint32_t bytes, zero; };
#endif
