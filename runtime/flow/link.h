/* SPDX-License-Identifier: MIT-0 */
/*
 * A link is one end of an edge in this process; the event loop is the thread that connects, greets, flushes what is left
 * over, and looks for deaths. A sender's link belongs to the stage's thread, but for what `lock` guards: whoever holds it
 * may write to the connection. A receiver's belongs to the stage's thread, but for `pending`, which the event loop hands
 * over, and `fd`, which changes under `lock` only. What is atomic is looked at by whoever comes by, at any time.
 */
#ifndef WHITTLE_FLOW_LINK_H
#define WHITTLE_FLOW_LINK_H
#include "../net/spin.h"
#include "../net/poller.h"
#include "../net/socket.h"
#include "flow.h"
#include "ledger.h"
#include "packets.h"
#include "wire.h"
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/types.h>

/* ring.c: memory that is mapped twice, side by side, so that every run of up to `size` bytes is contiguous. */
struct whittle_flow_ring {
    unsigned char *data;
    size_t size;
};
bool whittle_flow_ring_open(struct whittle_flow_ring *ring, size_t least);
void whittle_flow_ring_close(struct whittle_flow_ring *ring);

/* A place in a stream: packets before it, bytes before it. */
struct whittle_flow_place { uint64_t count, bytes; };

/* A packet by its number, and when it was offered; 0: none is noted. */
struct whittle_flow_sample { uint64_t number, born; };

enum whittle_flow_dial { WHITTLE_FLOW_IDLE, WHITTLE_FLOW_LOOKING_UP, WHITTLE_FLOW_CONNECTING, WHITTLE_FLOW_CHALLENGED, WHITTLE_FLOW_GREETED, WHITTLE_FLOW_AGREED };

/*
 * What carries edges that no connection from process to process does: each function is called instead of what the rest of
 * this library would do there. `open` and the finish return false where the reason has been said.
 */
enum whittle_flow_have { WHITTLE_FLOW_NOTHING, WHITTLE_FLOW_PACKET, WHITTLE_FLOW_OVER };
struct whittle_flow_transport_functions {
    bool (*open)(struct whittle_flow_link *link);
    void (*close)(struct whittle_flow_link *link, bool ended);
    enum whittle_flow_result (*send)(struct whittle_flow_link *link, const void *packet, uint64_t born);
    void (*end)(struct whittle_flow_link *link);
    bool (*finish)(struct whittle_flow_link *link);
    enum whittle_flow_have (*look)(struct whittle_flow_link *link, const void **packet);
    void (*done)(struct whittle_flow_link *link);
    void (*refuse)(struct whittle_flow_link *link);
    bool (*follows)(struct whittle_flow_link *link);    /* a packet stands behind the one in hand; NULL: never */
    bool keyed;                         /* its messages are authenticated by the flow's key */
    bool keeps;                         /* somebody keeps packets while neither process lives */
    const char *help;                   /* what --help says of it; NULL: nothing */
};

/* What a transport is like (transport.c). */
struct whittle_flow_transport_traits {
    bool by_port;                       /* connections go to a TCP port, and are authenticated; else to a socket of the flow's directory */
    bool shared;                        /* packets stand in memory that both ends see; connections carry what is beside them */
    bool calls;                         /* both ends are one process: there is nothing to carry */
    size_t brought;                     /* a channel carries it: the member of struct whittle_flow_process that has it; 0: none does */
    const char *missing;                /* and what is said where the process brings none */
    uint64_t near;                      /* bytes that may be under way within a machine */
};
extern const struct whittle_flow_transport_traits whittle_flow_transports[];
__attribute__((unused)) static inline const struct whittle_flow_transport_traits *whittle_flow_transport_of(const struct whittle_flow_edge *edge)
{
    return &whittle_flow_transports[edge->transport];
}

/* A packet that goes to several, made once for all who select the same fields, and encoded once for all whose edges have one type. */
struct whittle_flow_written {
    const struct whittle_flow_type *type;
    const struct whittle_flow_projection *projection;    /* NULL: whole */
    void *part;                         /* with a projection: what it made */
    const void *whole;                  /* and of what; NULL: of nothing */
    const void *packet;                 /* NULL: none is being published */
    unsigned char *body;
    uint64_t bytes;                     /* 0: at fault */
};

/* That a stage's thread waits for what a mux brings: the mux, NULL: it does not; and the connection, -1: another thread looks at it. */
struct whittle_flow_lead { struct whittle_flow_mux *mux; int fd; };

struct whittle_flow_link {
    const struct whittle_flow_edge *edge;
    struct whittle_flow_event_loop *loop;
    struct whittle_flow_sender *sender;      /* one of the two */
    struct whittle_flow_receiver *receiver;
    struct whittle_flow_ledger *page;
    uint64_t *at;                       /* page->counter[WHITTLE_FLOW_AT] */
    uint64_t zero;
    pthread_mutex_t lock;
    int fd;                             /* the connection, or what says that its substream is to be read; -1: none */
    struct whittle_flow_substream *substream;          /* the connection, where it is a part of a mux (mux.h) */
    int wakeup;                           /* an eventfd: something has changed for the stage's thread */
    int page_fd;                        /* locked as long as this process holds the end */
    bool ended;                         /* sender: closed; receiver: the end has come */
    struct whittle_flow_session *session;    /* authenticates the connection's bytes; NULL: the system says who it is */
    _Atomic bool refused;               /* no packet is wanted any more */
    _Atomic bool abandoned;             /* the other end will not come any more */
    _Atomic bool met;                   /* has been connected */
    _Atomic bool lost;                  /* sender: there is no connection, and one is wanted */
    struct whittle_flow_fan *fan;       /* sender: of a channel; what follows is guarded by the fan's lock */
    bool subscribed;                    /* somebody takes packets at the other end */
    uint64_t since;                     /* and has come when so many had been published */
    struct whittle_flow_written *written;    /* the packet that is being published, as the edge carries it */
    struct whittle_flow_written *whole;      /* and before fields are selected, in the edge's encoding */
    bool settled;                       /* it is over: nobody may subscribe any more */
    uint8_t *filter;                    /* the condition that its subscriber sent; NULL: none */
    size_t filter_bytes;                /* 0: all packets are wanted */
    bool filters_beside;                /* the one that it was built with must hold, too */
    bool reported_filter;               /* at either end: one was refused, and that was said */
    bool owned;                         /* sender: `owner` is the thread that sends */
    pthread_t owner;

    struct whittle_net_spin spin; /* the stage's thread's */

    /* A packet's form in the stream: `prefix` (a stamp, a length), the bytes, up to `align`. */
    uint32_t prefix, align, record, stride;
    struct whittle_flow_ring ring;
    unsigned char *private;             /* encoded, shared: the packet as the stage sees it */

    /*
     * Sender. A packet waits in `ring` until it is claimed for a batch, and stays there until it need not be sent again.
     * Where the oldest may be dropped, it waits in `ring` from `tail` on, and is moved to `kept` to be sent.
     */
    uint64_t window;
    uint64_t queue_items, queue_bytes;  /* bounds that hold, ~0 where there is none */
    uint64_t gather_bytes, gather_items;
    uint64_t limit_count;
    uint32_t turn;                      /* odd while a packet of differing size is being added */
    struct whittle_flow_place retained;      /* the oldest packet that may have to be sent again */
    struct whittle_flow_place claimed;       /* up to here in batches of this connection */
    struct whittle_flow_place frontier;      /* up to here in batches of any: what lies behind waits */
    struct whittle_flow_place taken;         /* up to here the receiver has taken them, or they are lost: what lies behind is between the middles */
    uint64_t crashed;                   /* packets before this count were an earlier process's */
    struct whittle_flow_ring kept;
    struct whittle_flow_place moved;         /* the end of `kept` */
    uint64_t tail;
    bool oldest;                        /* the oldest may be dropped */
    bool keeps;                         /* what is not acknowledged is kept, and counts against the window */
    bool fast;                          /* whittle_flow_send may leave packets without a look */
    struct whittle_flow_batch head;          /* of the batch under way */
    uint32_t head_left;
    uint64_t body_from, body_left;
    bool end_sent;
    bool asleep;                        /* the stage's thread waits for what the connection says: to be woken, should another hear it */
    bool stopped;                       /* asked to end while the queue was full: no more is taken */
    bool armed;                         /* the event loop looks for leftovers */
    bool look;                          /* the event loop could not, and is to try again */
    bool blocked;                       /* no use in trying before something comes from the connection, or it has room */
    _Atomic bool end_heard;
    uint32_t interest;                  /* what epoll watches the connection for */
    bool watches_more;                  /* and room, or what comes, until there is some */
    uint64_t limit_at;
    uint64_t turn_at;                   /* up to here the room's base holds; then it goes back by the ring's size */
    uint64_t armed_at, tick_at, tick_period, tick_seen, tick_queued, tick_last, writes, tick_writes;
    uint64_t last_write;
    unsigned char reply[sizeof(struct whittle_flow_acknowledgement)];
    uint32_t reply_filled;
    uint64_t rate_next, rate_bytes_next;
    struct whittle_flow_sample sample;  /* of a packet that has not gone yet */
    enum whittle_flow_dial dial;
    struct whittle_net_source dialing;       /* a connection before it is the link's; the event loop's */
    struct whittle_net_source connected;     /* the link's, as the event loop watches it; `fd` is the link's own */
    uint64_t dial_at, dial_pause, lost_at, closed_at;
    uint32_t dial_filled;
    struct whittle_net_lookup *lookup;       /* the receiver's addresses; NULL: to be looked up */
    int tried;                               /* of them */
    struct whittle_flow_session *dial_session;
    struct whittle_flow_substream *dial_substream;
    struct whittle_flow_mux *mux;          /* with other edges to the same socket; NULL: none goes there */
    struct whittle_flow_challenge opening, challenge;    /* ours, and the receiver's */
    struct whittle_flow_answer answer;
    _Atomic enum whittle_flow_verdict verdict;
    bool reported_waiting, reported_closed;

    /* Receiver. */
    struct whittle_flow_link *listener; /* to whose socket its connections come; NULL: a channel carries it */
    struct whittle_net_source listening;     /* that socket; its descriptor is -1 where it is another's */
    bool shared_socket;                 /* others' connections come to it, too */
    uint64_t accept_at;                 /* no descriptors were left: when to accept again; 0: accepting */
    int pending;                        /* a connection that has said hello; -1: none */
    struct whittle_flow_session *pending_session;
    struct whittle_flow_substream *pending_substream;
    struct whittle_flow_lead led;            /* while its thread waits */
    struct whittle_flow_hello pending_hello, hello;
    uint64_t lease;                     /* the stream that has the edge, with its connection and a while after; 0: nobody's */
    char holder[64], contender[64];     /* who has it; who was refused last */
    bool start_due;                     /* the connection has not said yet where its stream begins */
    size_t filled, parsed;              /* in the ring, which is private and begins anew whenever it is empty */
    uint64_t seen_at;                   /* the stream's position that belongs to `parsed` */
    uint64_t batch_left;
    bool unverified;                    /* the batch's tag has not been compared: nothing of it is used */
    uint64_t rest_until;                /* when the rest of such a batch must have come */
    struct whittle_flow_batch batch;    /* its head */
    bool batch_ends, heard_end;
    struct whittle_flow_place acknowledged;  /* the place last reported */
    uint64_t credit;                    /* packets that the sender lets wait; ~0: it counts bytes */
    struct whittle_flow_acknowledgement acknowledgement;
    uint32_t acknowledgement_left;
    uint64_t born;
    bool release;                       /* the packet in hand owns storage */
    size_t turn_any;

    /* Shared memory. */
    struct whittle_flow_shared *shared;
    unsigned char *slots;
    uint64_t slot_count, slot_stride, seen;
    size_t shared_bytes;
    int shared_fd;
    bool broken;                        /* the ring makes no sense */

    /* Carried by a channel: what does so, and its own. */
    const struct whittle_flow_transport_functions *functions;
    void *own;

    /* Sender: whether somebody looks at each packet that is offered; who; and what is sent again. */
    bool watched;
    struct whittle_flow_observers *observers;
    struct whittle_flow_replayed *replayed;
};

/* Who looks at a sender's packets: a recording, which is the stage's thread's; a tap, which `lock` guards. */
struct whittle_flow_observers {
    unsigned char *body;                /* an encoded packet */
    int file;                           /* -1: nothing is recorded */
    char path[4096];
    unsigned char *buffer;
    size_t filled;
    uint64_t waiting;                   /* packets in the buffer */
    uint64_t whole;                     /* bytes in the file */
    uint64_t recorded, missing, flushed;
    bool failed;
    pthread_mutex_t lock;
    bool tapped;
    int tap;                            /* -1: nobody looks */
    unsigned char *rest;                /* of records that have not gone */
    size_t rest_from, rest_to, rest_room;
    uint64_t left_out;
};
#endif
