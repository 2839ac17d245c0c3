/* SPDX-License-Identifier: MIT-0 */
/*
 * Edges over a NATS server's JetStream: the server is the event channel between the two ends, which need not live at the
 * same time. An edge is a stream of the server, `whittle_FLOW_NUMBER_KEY` on subject `whittle.FLOW.KEY.NUMBER`, in files,
 * where KEY is a number that follows from the flow's key, so that two flows of one name do not meet; a packet is a message
 * whose id is RUN-NUMBER-TAG: the run of the sender's page, the packet's number in the edge's sequence, and the tag.
 *
 * A server takes messages from everybody it lets in. So each carries a tag that needs the flow's key, over all that it
 * says; what has none is counted and never taken, and one of a run that began before the present one is old. What the
 * server itself says (that it has a message, how many there are) is believed: its users are the server's business.
 *
 * Each publication says which sequence number of the stream must stand before it, and which message, so the server takes
 * packets in order or not at all, whatever else is published beside them. What it has not said to have stands in a file
 * of the flow's directory, and is published again after a refusal, a lost connection, or the sender's death.
 *
 * An edge that blocks has a work queue: what the receiver acknowledges leaves the stream. Its bound is one of messages,
 * always: with a bound of bytes, servers of 2.9 delete the oldest even where they are to refuse the newest. One that drops the oldest keeps
 * the last so many, acknowledged or not. The receiver pulls; it makes its consumer anew with each connection, so what was
 * under way comes again at once and in order, and what the page says was delivered is counted as a duplicate.
 * Source: ECho's channels, in Swint, Pu and others, "Infopipes: The ISL/ISG Implementation Evaluation", section 3;
 * NATS documentation, "JetStream", "Consumers", "JetStream wire API reference".
 */
#ifndef WHITTLE_FLOW_NATS_CHANNEL_H
#define WHITTLE_FLOW_NATS_CHANNEL_H
#include "../internal.h"
#include <endian.h>
#include <nats/nats.h>

enum whittle_flow_nats_state {
    WHITTLE_FLOW_NATS_APART,     /* no connection, or nothing known of the stream yet */
    WHITTLE_FLOW_NATS_GOES,
    WHITTLE_FLOW_NATS_FULL,      /* sender: the server has no place; tried again at `again_at` */
    WHITTLE_FLOW_NATS_FAILED     /* said; nothing will go any more */
};

/* kept.c: packets that the server has not said to have; slot n % slots has packet n. */
struct whittle_flow_nats_kept {
    char magic[8];
    uint64_t run, slots, stride;
};
struct whittle_flow_nats_slot { uint64_t bytes; unsigned char body[]; };

/*
 * The connection that all ends of a process share. `lock` guards the ends and what has been said; who holds it may take a link's lock,
 * not the other way round.
 */
struct whittle_flow_nats_server {
    pthread_mutex_t lock;
    pthread_cond_t gone;
    char url[256], place[256];          /* place: without a password, for messages */
    natsConnection *connection;         /* made by the first end that needs it; stays until the last has gone */
    struct whittle_flow_nats_link *ends;
    unsigned users;
    bool closed, ending;
    bool said_waiting, said_lost;
};

/* One end of an edge. The link's lock guards all but what is said to be another's. */
struct whittle_flow_nats_link {
    struct whittle_flow_link *link;
    struct whittle_flow_nats_server *server;
    struct whittle_flow_nats_link *next_end;    /* of the connection's */
    char stream[160], subject[160], progress[192];    /* progress: where receivers say how far they are */
    char leases[192];                   /* where senders ask who has the edge */
    char inbox[64];
    pthread_t thread;                   /* of this end: connects, asks, tries again */
    pthread_cond_t wake;
    bool running, ending;
    natsConnection *connection;         /* the server's, once this end uses it; stays until the end */
    jsCtx *js;                          /* the thread's */
    natsSubscription *answers, *hints, *asks_of_others;
    int subscribed;                     /* subscriptions whose last word has not come */
    bool connected;
    bool asks;                          /* the stream is to be looked at */
    enum whittle_flow_nats_state state;
    uint64_t again_at, pause, heard_at, lost_at;
    bool said_other;
    bool leased, leasing, lease_lost;   /* sender: has the edge; asks who has it; the connection was lost meanwhile */

    /* Sender. Packets have numbers: acknowledged <= next <= end. */
    uint64_t acknowledged, next, end;
    uint64_t base;                      /* the stream's sequence number of packet 0, less 1 */
    char last_id[96];                   /* of the last message that was published, number `last_number` */
    uint64_t last_number;
    uint64_t proven;                    /* packets that the stream was seen to have: the last message of this run says so */
    bool proven_end;
    int64_t done;                       /* as far as is known, the receiver is done with packets below */
    uint64_t epoch;                     /* answers to publications of earlier ones mean nothing */
    bool probing;                       /* one at a time until the server takes it */
    bool end_published, waits;
    uint64_t crashed;                   /* packets below were an earlier process's, and are not kept */
    struct whittle_flow_nats_kept *kept;
    size_t kept_bytes;
    uint32_t *order;                    /* slots in use, for edges that drop the oldest; else NULL */

    /* Receiver. */
    natsMsg **queue;                    /* come, not taken yet */
    uint32_t queue_room, queue_first, queue_count;
    uint32_t asked;                     /* that the server may still send */
    uint64_t consumed;                  /* messages of this consumer that have been looked at */
    uint64_t came_at, idle;             /* the last message; how long without one before the consumer is made anew */
    natsMsg *hand, *last;               /* the stage's thread's: the packet in hand; the end */
    uint64_t hinted;                    /* the number that was last reported */
    uint64_t sequence;                  /* the stream's, of the packet in hand */
};

/* channel.c */
uint64_t whittle_flow_nats_number(const char *text, char end, const char **rest);

/* rounds.c */
void whittle_flow_nats_wake(struct whittle_flow_nats_link *own);
void whittle_flow_nats_round(struct whittle_flow_nats_link *own);
void *whittle_flow_nats_look_after(void *own);

/* connect.c: the process's connection; without the lock. */
bool whittle_flow_nats_share(struct whittle_flow_nats_link *own);
void whittle_flow_nats_leave(struct whittle_flow_nats_link *own);

/* connect.c, server.c: the thread's, without the lock. */
bool whittle_flow_nats_connect(struct whittle_flow_nats_link *own);
bool whittle_flow_nats_stream(struct whittle_flow_nats_link *own, jsStreamState *state);
bool whittle_flow_nats_consumer(struct whittle_flow_nats_link *own);
bool whittle_flow_nats_subscribe(struct whittle_flow_nats_link *own);

/* lease.c: the thread's, without the lock. */
bool whittle_flow_nats_lease(struct whittle_flow_nats_link *own);
void whittle_flow_nats_answer(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *closure);

/* mark.c: what a message says of itself, and the tag over it. */
struct whittle_flow_nats_said {
    uint64_t run, number, skipped, began;
    uint64_t born;                      /* when it was offered; 0: nobody looked */
    bool is_end;
};
enum { WHITTLE_FLOW_NATS_TAG = 2 * WHITTLE_FLOW_TAG };     /* digits */
bool whittle_flow_nats_read(const struct whittle_flow_nats_link *own, natsMsg *message, struct whittle_flow_nats_said *said);
bool whittle_flow_nats_write(const struct whittle_flow_nats_link *own, natsMsg *message, const struct whittle_flow_nats_said *said, char id[96]);
bool whittle_flow_nats_mark(const struct whittle_flow_nats_link *own, const char *subject, const char *head, const void *body, size_t bytes,
    char digits[WHITTLE_FLOW_NATS_TAG + 1]);
bool whittle_flow_nats_is_marked(const struct whittle_flow_nats_link *own, const char *subject, const char *head, const void *body, size_t bytes,
    const char *digits);

/* kept.c */
bool whittle_flow_nats_kept_open(struct whittle_flow_nats_link *own);
void whittle_flow_nats_kept_close(struct whittle_flow_nats_link *own, bool ended);
struct whittle_flow_nats_slot *whittle_flow_nats_slot(const struct whittle_flow_nats_link *own, uint64_t number);
void whittle_flow_nats_drop_waiting(struct whittle_flow_nats_link *own);
uint64_t whittle_flow_nats_largest(const struct whittle_flow_link *link);
uint64_t whittle_flow_nats_items(const struct whittle_flow_edge *edge);

/* publish.c; with the lock held, but send and finish. */
enum { WHITTLE_FLOW_NATS_TRY_AGAIN = 200000000 };   /* nanoseconds */
enum whittle_flow_result whittle_flow_nats_send(struct whittle_flow_link *link, const void *packet, uint64_t born);
void whittle_flow_nats_pump(struct whittle_flow_nats_link *own);
void whittle_flow_nats_again(struct whittle_flow_nats_link *own, enum whittle_flow_nats_state state, uint64_t pause);

/* answers.c */
void whittle_flow_nats_answered(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *closure);
void whittle_flow_nats_hinted(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *closure);

/* finish.c */
void whittle_flow_nats_resume(struct whittle_flow_nats_link *own, const jsStreamState *state);
void whittle_flow_nats_end(struct whittle_flow_link *link);
bool whittle_flow_nats_finish(struct whittle_flow_link *link);

/* fetch.c */
void whittle_flow_nats_come(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *closure);
void whittle_flow_nats_ask(struct whittle_flow_nats_link *own);
void whittle_flow_nats_look_for_messages(struct whittle_flow_nats_link *own);
void whittle_flow_nats_forget(struct whittle_flow_nats_link *own);
natsMsg *whittle_flow_nats_next(struct whittle_flow_nats_link *own);
natsMsg *whittle_flow_nats_peek(struct whittle_flow_nats_link *own);

/* consume.c */
enum whittle_flow_have whittle_flow_nats_look(struct whittle_flow_link *link, const void **packet);
void whittle_flow_nats_done(struct whittle_flow_link *link);
bool whittle_flow_nats_follows(struct whittle_flow_link *link);
void whittle_flow_nats_refuse(struct whittle_flow_link *link);
void whittle_flow_nats_hint(struct whittle_flow_nats_link *own, bool refuses);

#endif
