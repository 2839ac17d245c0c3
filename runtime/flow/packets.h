/* SPDX-License-Identifier: MIT-0 */
/*
 * Recorded packets: a file NUMBER.packets for each edge, and what goes through the socket NUMBER.tap to who looks at an
 * edge. A head, then records, each behind its time and its size, in the host's byte order, without padding; the bytes are
 * those of the edge's wire form. A size that no packet has says what else a record is: where packets are missing, and at
 * a file's end how many there are, so that a recording that was cut short differs from a whole one.
 */
#ifndef WHITTLE_FLOW_PACKETS_H
#define WHITTLE_FLOW_PACKETS_H
#include <stdint.h>

#define WHITTLE_FLOW_PACKETS_MAGIC "whtpkts1"
#define WHITTLE_FLOW_PACKETS_END_MAGIC "whtpkend"
#define WHITTLE_FLOW_PACKETS_ORDER UINT32_C(0x01020304)
#define WHITTLE_FLOW_PACKETS_GAP UINT32_C(0xfffffffe)    /* then: uint64_t, packets that are missing here */
#define WHITTLE_FLOW_PACKETS_END UINT32_C(0xffffffff)    /* then: struct whittle_flow_packets_end */
enum { WHITTLE_FLOW_PACKETS_VERSION = 1, WHITTLE_FLOW_PACKETS_RECORD = 12 };

struct whittle_flow_packets_head {
    char magic[8];
    uint32_t version;
    uint32_t order;             /* WHITTLE_FLOW_PACKETS_ORDER, as the host writes it */
    uint32_t number;            /* the edge's */
    uint32_t in_place;          /* 1: the packets' bytes are the first of their structure; 0: they are encoded */
    uint64_t fingerprint;       /* of the type and its encoding */
    uint64_t began;             /* nanoseconds of CLOCK_REALTIME; the times of records count from here */
    uint32_t size, largest;     /* of the structure in memory; of an encoded packet */
    char flow[64], edge[128], type[64];
};
_Static_assert(sizeof(struct whittle_flow_packets_head) == 304, "no padding");

struct whittle_flow_packets_end {
    uint64_t count;             /* packets in the file */
    uint64_t missing;           /* packets that were offered and are not */
    char magic[8];
};
#endif
