/* SPDX-License-Identifier: MIT-0 */
/*
 * A mux multiplexes several edges over the one connection of a pair of processes; a substream is an edge's part of it, and stands
 * where a connection of its own would: what is written into one comes out at its other end, in order, until one side
 * shuts or closes it. docs/flow-handshake.md has the frames. Where a substream is NULL, the edge has a connection of its own.
 */
#ifndef WHITTLE_FLOW_MUX_H
#define WHITTLE_FLOW_MUX_H
#include "link.h"
#include <sys/uio.h>

/* One end of a substream. The mux's lock guards all of it but `fd` and `rings`. */
struct whittle_flow_substream {
    struct whittle_flow_mux *mux;
    struct whittle_flow_link *link;     /* the sender's; NULL: this end receives */
    struct whittle_flow_substream *behind;   /* in the queue of those that wait for room */
    uint32_t number, turn;              /* the edge, and which of the edge's substreams over this mux */
    int fd;                             /* an eventfd: readable as long as something is to be read, or nothing more will come */
    _Atomic bool signalled;                 /* it is readable */
    unsigned char *bytes;               /* what has come, and is not read: from `from` to `to` */
    size_t from, to, room;
    uint64_t unsaid;                    /* bytes that were read, and are not reported */
    uint64_t credit;                    /* bytes that may be sent before the other end reports more as read */
    bool over;                          /* nothing more comes */
    bool gone;                          /* nobody takes what is sent */
    bool starved;                       /* waits for credit */
    bool waits;                         /* is in the queue */
    bool next;                          /* has come out of it: may send one frame before those that wait */
};

struct whittle_flow_mux {
    struct whittle_net_source source;   /* the connection, as the event loop watches it; its descriptor is -1 where there is none */
    struct whittle_flow_event_loop *loop;
    struct whittle_flow_mux *following;    /* of the process's muxes */
    struct whittle_flow_link *base;     /* the sender whose dialing brings the connection; the receiver who listens */
    bool connects;
    pthread_mutex_t in_lock;            /* of the connection's reading side; before `lock` */
    struct whittle_flow_session *session;    /* authenticates frames; NULL: the system says who it is */
    unsigned char *in;                  /* what has come, and is no whole frame, or is for the event loop */
    size_t filled;
    struct whittle_flow_frame frame;         /* that is being read, where it has no tag */
    size_t left;                        /* bytes of it that have not come */
    const char *fault;                  /* why it is to be closed, and what counts that; NULL: all is well */
    enum whittle_flow_counter counted;
    _Atomic bool wanted;                /* the event loop is to go on reading */
    pthread_mutex_t lock;               /* of what follows, and of what is written to the connection */
    bool up;                            /* the other end has agreed */
    uint32_t turns;
    size_t open;                        /* substreams that have not been closed at this end */
    struct whittle_flow_substream **substreams;   /* by the edges' numbers: where frames go; NULL: nowhere */
    unsigned char *rest;                /* what the connection had no room for: from `rest_from` to `rest_to` */
    size_t rest_from, rest_to, rest_room;
    struct whittle_flow_substream *first, *last;  /* the queue of those that wait for room */
    bool led;                           /* a stage's thread waits for what comes, and reads it */
    size_t others;                      /* so many wait beside it, each for its own substream */
    bool rests;                         /* the event loop does not look whether something has come */
    uint64_t rests_until;               /* and does so from then on, unless stages' threads go on reading; 0: as long as one waits */
    uint64_t seen;                      /* how often they had read when it looked last */
    _Atomic uint64_t reads;
    uint32_t watched;                   /* what the event loop hears of */
};

/* substream.c: as the system's calls for a connection; none of them waits. */
ssize_t whittle_flow_substream_read(struct whittle_flow_substream *substream, void *to, size_t room);
ssize_t whittle_flow_substream_send(struct whittle_flow_substream *substream, const void *bytes, size_t count);
ssize_t whittle_flow_substream_write(struct whittle_flow_substream *substream, const struct iovec *pieces, size_t count);
void whittle_flow_substream_shut(struct whittle_flow_substream *substream, int how);
void whittle_flow_substream_close(struct whittle_flow_substream **substream);
struct whittle_flow_substream *whittle_flow_substream_make(struct whittle_flow_mux *mux, struct whittle_flow_link *link, uint32_t number, uint32_t turn);
/* With the mux's lock held. */
void whittle_flow_substream_signal(struct whittle_flow_substream *substream);
void whittle_flow_substream_was_read(struct whittle_flow_substream *substream, size_t count);
void whittle_flow_substream_end(struct whittle_flow_substream *substream, bool gone);
bool whittle_flow_substream_take(struct whittle_flow_substream *substream, const unsigned char *bytes, size_t count);

/* frame_send.c: what goes to the connection. With the mux's lock held. */
/* Bytes of a frame: of one with a tag, or while other edges wait; and of any. With its head, the first is the largest segment that TCP passes on uncut. */
enum { WHITTLE_FLOW_FRAME_SHORT = 65088, WHITTLE_FLOW_FRAME_MOST = 262144 };
void whittle_flow_frame_put(struct whittle_flow_mux *mux, enum whittle_flow_frame_kind kind, const struct whittle_flow_substream *substream, uint64_t credit,
    const struct iovec *pieces, size_t count);
bool whittle_flow_frames_rest(const struct whittle_flow_mux *mux);
void whittle_flow_frames_flush(struct whittle_flow_mux *mux);
void whittle_flow_mux_watch(struct whittle_flow_mux *mux);

/*
 * frame_receive.c, leader.c. Who wants something of a substream reads the mux itself, if nobody else does, and gives others what is theirs. What comes for `substream`
 * goes to the reader's own memory.
 */
struct whittle_flow_reader { struct whittle_flow_substream *substream; unsigned char *to; size_t room, came; };
void whittle_flow_mux_read(struct whittle_flow_mux *mux, struct whittle_flow_reader *reader);
/* Before and after a stage's thread waits. One of those that wait looks at the connection beside its own substream. */
struct whittle_flow_lead whittle_flow_mux_lead(const struct whittle_flow_link *link);
void whittle_flow_mux_follow(struct whittle_flow_lead lead);

/* mux.c, frame_receive.c, leader.c: on the event loop's thread. */
enum { WHITTLE_FLOW_MUX_ROOM = 4 * (WHITTLE_FLOW_FRAME_SHORT + WHITTLE_FLOW_LINE), WHITTLE_FLOW_SUBSTREAMS = 65536 };
void whittle_flow_mux_ready(struct whittle_net_source *source, uint32_t events);
void whittle_flow_mux_serve(struct whittle_flow_mux *mux);
void whittle_flow_mux_look(struct whittle_flow_link *link);
void whittle_flow_mux_lose(struct whittle_flow_mux *mux);
void whittle_flow_mux_free(struct whittle_flow_mux *mux);
bool whittle_flow_muxes_open(struct whittle_flow_event_loop *loop);
void whittle_flow_muxes_close(struct whittle_flow_event_loop *loop);
uint64_t whittle_flow_muxes_due(struct whittle_flow_event_loop *loop, uint64_t now);
struct whittle_flow_mux *whittle_flow_mux_make(struct whittle_flow_link *base, bool connects);
bool whittle_flow_mux_begin(struct whittle_flow_mux *mux, int fd, struct whittle_flow_session *session);
struct whittle_flow_substream *whittle_flow_mux_open(struct whittle_flow_mux *mux, struct whittle_flow_link *link);

/* accept.c */
void whittle_flow_accept_substream(struct whittle_flow_mux *mux, struct whittle_flow_substream *substream);

/* A connection, or an edge's part of one. */
__attribute__((unused)) static inline ssize_t whittle_flow_stream_read(int fd, struct whittle_flow_substream *substream, void *to, size_t room)
{
    return substream != NULL ? whittle_flow_substream_read(substream, to, room) : recv(fd, to, room, MSG_DONTWAIT);
}
__attribute__((unused)) static inline ssize_t whittle_flow_stream_send(int fd, struct whittle_flow_substream *substream, const void *bytes, size_t count)
{
    return substream != NULL ? whittle_flow_substream_send(substream, bytes, count) : send(fd, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
}
__attribute__((unused)) static inline void whittle_flow_stream_shut(int fd, struct whittle_flow_substream *substream, int how)
{
    if (substream != NULL)
        whittle_flow_substream_shut(substream, how);
    else
        shutdown(fd, how);
}
void whittle_flow_stream_close(int *fd, struct whittle_flow_substream **substream);
void whittle_flow_source_close(struct whittle_net_poller *poller, struct whittle_net_source *source, struct whittle_flow_substream **substream);
#endif
