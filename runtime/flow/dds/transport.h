/* SPDX-License-Identifier: MIT-0 */
/*
 * Edges over DDS, by Cyclone DDS: a packet is a sample on the topic `FLOW_NUMBER_IDENTITY`, of the type `samples::PACKET`, whose IDL
 * whittle prints (STEM.idl), so that any DDS program can read and write them. The identity is of the names of the edge and its type. Before each packet stands a head, which says which run of the
 * sender it is of and its number; so what DDS loses is seen, and counted. On the topic `FLOW_NUMBER_IDENTITY_taken` the receiver
 * reports how far it is.
 *
 * What a contract asks for becomes qualities of service. `reliable`: RELIABLE, TRANSIENT_LOCAL, KEEP_LAST of `queue N`: the sender's
 * writer keeps what has not been taken, since no more than N are sent and not taken, so a receiver that comes again gets it. Edges
 * that drop: the same, and nobody waits; the history drops the oldest by itself. `best_effort` that blocks: BEST_EFFORT, VOLATILE. `priority` is TRANSPORT_PRIORITY. Deadlines are
 * the receiver's to judge: DDS's LIFESPAN would drop what is late without a word. The sender begins with a sample that asks whether the edge is
 * its own, and sends no packet before the receiver has said so; it ends with one, too. See docs/edge-protocol.md.
 *
 * There is one reader and one writer an end; their threads are Cyclone's. Nobody is authenticated by what is here: who may
 * take part in a DDS domain is the domain's business (DDS Security).
 * Source: OMG, "Data Distribution Service", 1.4, section 2.2.3; "DDS Interoperability Wire Protocol", 2.5, section 10; Cyclone DDS 0.10, dds.h.
 */
#ifndef WHITTLE_FLOW_DDS_CHANNEL_H
#define WHITTLE_FLOW_DDS_CHANNEL_H
#include "../internal.h"
#ifndef DDS_NDEBUG
#define DDS_NDEBUG 1    /* as Debian's library is built */
#endif
#include <dds/dds.h>
#include <dds/ddsi/ddsi_serdata.h>
#include <dds/ddsi/ddsi_sertype.h>

/* What a sample is; all have a packet, which means nothing but in the first. */
enum whittle_flow_dds_kind {
    WHITTLE_FLOW_DDS_PACKET,
    WHITTLE_FLOW_DDS_ASKS,      /* the sender begins: is the edge its own, and which packet comes next? */
    WHITTLE_FLOW_DDS_MARK,      /* no packet below the number will come any more */
    WHITTLE_FLOW_DDS_END        /* nor any other */
};

/* samples.c: what stands before a packet. */
struct whittle_flow_dds_head {
    uint64_t run, began, number, skipped, born, type;
    uint32_t process, kind;
};
enum { WHITTLE_FLOW_DDS_HEAD = 56 };

/* What a receiver reports. */
enum { WHITTLE_FLOW_DDS_HEARD_END = 1, WHITTLE_FLOW_DDS_REFUSES = 2, WHITTLE_FLOW_DDS_HELD = 4, WHITTLE_FLOW_DDS_NEW = 8 };  /* NEW: it did not know the run */
struct whittle_flow_dds_taken {
    uint64_t run, taken;
    uint64_t receiver;          /* which one it is, the same after a death; 0: not said */
    uint32_t process, flags;
    char holder[64];            /* who has the edge, where another has */
};

/* One end of an edge. The link's lock guards what another thread than the stage's looks at, too. */
struct whittle_flow_dds_link {
    struct whittle_flow_link *link;
    dds_entity_t participant, writer, reader;
    const struct ddsi_sertype *written;     /* the type of what the writer writes */
    uint64_t items;                     /* that may be sent and not taken */
    bool waits;                         /* no more are sent: the receiver reports what was taken */
    bool repeats;                       /* what is not answered may have been lost */
    bool joined;                        /* uses the domain of the process */
    dds_instance_handle_t peer;         /* the writer of the edge's other end; 0: none yet */
    uint64_t receiver;                  /* which receiver it is, or has */

    /* Sender. */
    bool going;                         /* the edge is this sender's */
    bool matched;                       /* somebody reads */
    uint64_t crashed;                   /* packets below were an earlier process's, which kept them */
    uint64_t asked_at, marked_at;       /* when it asked, marked or ended last */
    bool end_sent, said_held, said_second;

    /* Receiver: the stage's thread's. */
    uint32_t process;                   /* which process of the sender's run has the edge */
    bool is_new;                        /* its run was not known, and its sender has not been notified of that */
    uint64_t opened_at, reported;       /* reported: up to here, to the sender */
    struct whittle_flow_dds_bytes *ahead;   /* has come, and was not taken */
    dds_instance_handle_t ahead_from;
};

/* serial.c: samples as bytes. */
struct whittle_flow_dds_bytes;
dds_entity_t whittle_flow_dds_topic(dds_entity_t participant, const char *name, const char *type, uint64_t largest, const struct ddsi_sertype **made);
struct whittle_flow_dds_bytes *whittle_flow_dds_new(const struct ddsi_sertype *type, uint64_t most);
unsigned char *whittle_flow_dds_value(struct whittle_flow_dds_bytes *bytes, uint64_t *count);
void whittle_flow_dds_set(struct whittle_flow_dds_bytes *bytes, uint64_t count);
void whittle_flow_dds_free(struct whittle_flow_dds_bytes *bytes);
dds_return_t whittle_flow_dds_write(dds_entity_t writer, struct whittle_flow_dds_bytes *bytes);
struct whittle_flow_dds_bytes *whittle_flow_dds_take(dds_entity_t reader, dds_instance_handle_t *from);

/* samples.c */
uint64_t whittle_flow_dds_largest(const struct whittle_flow_edge *edge);
void whittle_flow_dds_head_write(const struct whittle_flow_dds_head *head, unsigned char *at);
bool whittle_flow_dds_head_read(const unsigned char *at, uint64_t count, struct whittle_flow_dds_head *head);
bool whittle_flow_dds_say(const struct whittle_flow_dds_link *own, const struct whittle_flow_dds_taken *said);
bool whittle_flow_dds_hear(const struct whittle_flow_dds_link *own, struct whittle_flow_dds_taken *said, dds_instance_handle_t *from);

/* entities.c */
bool whittle_flow_dds_join(struct whittle_flow_dds_link *own);
void whittle_flow_dds_leave(struct whittle_flow_dds_link *own);
bool whittle_flow_dds_lives(const struct whittle_flow_dds_link *own, dds_instance_handle_t writer);
uint64_t whittle_flow_dds_receiver(const struct whittle_flow_link *link);

/* publish.c */
enum whittle_flow_result whittle_flow_dds_send(struct whittle_flow_link *link, const void *packet, uint64_t born);
bool whittle_flow_dds_control(struct whittle_flow_dds_link *own, enum whittle_flow_dds_kind kind);
void whittle_flow_dds_remind(struct whittle_flow_dds_link *own);
void whittle_flow_dds_answered(dds_entity_t reader, void *own);
void whittle_flow_dds_readers(dds_entity_t writer, const dds_publication_matched_status_t status, void *own);

/* finish.c */
void whittle_flow_dds_end(struct whittle_flow_link *link);
bool whittle_flow_dds_finish(struct whittle_flow_link *link);

/* consume.c */
void whittle_flow_dds_come(dds_entity_t reader, void *own);
enum whittle_flow_have whittle_flow_dds_look(struct whittle_flow_link *link, const void **packet);
void whittle_flow_dds_done(struct whittle_flow_link *link);
bool whittle_flow_dds_follows(struct whittle_flow_link *link);
void whittle_flow_dds_refuse(struct whittle_flow_link *link);

#endif
