/* SPDX-License-Identifier: MIT-0 */
/*
 * A line is the one connection of a pair of processes that several edges join; a lane is an edge's part of it, and stands
 * where a connection of its own would: what is written into one comes out at its other end, in order, until one side
 * shuts or closes it. docs/flow-handshake.md has the frames. Where a lane is NULL, the edge has a connection of its own.
 */
#ifndef WHITTLE_FLOW_LINE_H
#define WHITTLE_FLOW_LINE_H
#include "link.h"
#include <sys/uio.h>

/* What is asked of a lane at one end. The line's lock guards all of it but `fd` and `rings`. */
struct whittle_flow_lane {
    struct whittle_flow_line *line;
    struct whittle_flow_link *link;     /* the sender's; NULL: this end receives */
    struct whittle_flow_lane *behind;   /* in the queue of those that wait for room */
    uint32_t number, turn;              /* the edge, and which of the edge's lanes over this line */
    int fd;                             /* an eventfd: readable as long as something is to be read, or nothing more will come */
    _Atomic bool rings;                 /* it is readable */
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

struct whittle_flow_line {
    struct whittle_net_source source;   /* the connection, as the carrier watches it; its descriptor is -1 where there is none */
    struct whittle_flow_carrier *carrier;
    struct whittle_flow_line *following;    /* of the process's lines */
    struct whittle_flow_link *base;     /* the sender whose dialing brings the connection; the receiver who listens */
    bool connects;
    pthread_mutex_t in_lock;            /* of the connection's reading side; before `lock` */
    struct whittle_flow_session *session;    /* authenticates frames; NULL: the system says who it is */
    unsigned char *in;                  /* what has come, and is no whole frame, or is for the carrier */
    size_t filled;
    struct whittle_flow_frame frame;         /* that is being read, where it has no tag */
    size_t left;                        /* bytes of it that have not come */
    const char *fault;                  /* why it is to be closed, and what counts that; NULL: all is well */
    enum whittle_flow_counter counted;
    _Atomic bool wanted;                /* the carrier is to go on reading */
    pthread_mutex_t lock;               /* of what follows, and of what is written to the connection */
    bool up;                            /* the other end has agreed */
    uint32_t turns;
    size_t open;                        /* lanes that have not been closed at this end */
    struct whittle_flow_lane **lanes;   /* by the edges' numbers: where frames go; NULL: nowhere */
    unsigned char *rest;                /* what the connection had no room for: from `rest_from` to `rest_to` */
    size_t rest_from, rest_to, rest_room;
    struct whittle_flow_lane *first, *last;  /* the queue of those that wait for room */
    bool led;                           /* a stage's thread waits for what comes, and reads it */
    size_t others;                      /* so many wait beside it, each for its own lane */
    bool rests;                         /* the carrier does not look whether something has come */
    uint64_t rests_until;               /* and does so from then on, unless stages' threads go on reading; 0: as long as one waits */
    uint64_t seen;                      /* how often they had read when it looked last */
    _Atomic uint64_t reads;
    uint32_t watched;                   /* what the carrier hears of */
};

/* lane.c: as the system's calls for a connection; none of them waits. */
ssize_t whittle_flow_lane_read(struct whittle_flow_lane *lane, void *to, size_t room);
ssize_t whittle_flow_lane_say(struct whittle_flow_lane *lane, const void *bytes, size_t count);
ssize_t whittle_flow_lane_write(struct whittle_flow_lane *lane, const struct iovec *pieces, size_t count);
void whittle_flow_lane_shut(struct whittle_flow_lane *lane, int how);
void whittle_flow_lane_close(struct whittle_flow_lane **lane);
struct whittle_flow_lane *whittle_flow_lane_make(struct whittle_flow_line *line, struct whittle_flow_link *link, uint32_t number, uint32_t turn);
/* With the line's lock held. */
void whittle_flow_lane_ring(struct whittle_flow_lane *lane);
void whittle_flow_lane_was_read(struct whittle_flow_lane *lane, size_t count);
void whittle_flow_lane_end(struct whittle_flow_lane *lane, bool gone);
bool whittle_flow_lane_take(struct whittle_flow_lane *lane, const unsigned char *bytes, size_t count);

/* frame.c: what goes to the connection. With the line's lock held. */
/* Bytes of a frame: of one with a tag, or while other edges wait; and of any. With its head, the first is the largest segment that TCP passes on uncut. */
enum { WHITTLE_FLOW_FRAME_SHORT = 65088, WHITTLE_FLOW_FRAME_MOST = 262144 };
void whittle_flow_frame_put(struct whittle_flow_line *line, enum whittle_flow_frame_kind kind, const struct whittle_flow_lane *lane, uint64_t credit,
    const struct iovec *pieces, size_t count);
bool whittle_flow_frames_rest(const struct whittle_flow_line *line);
void whittle_flow_frames_flush(struct whittle_flow_line *line);
void whittle_flow_line_watch(struct whittle_flow_line *line);

/*
 * frames.c, lead.c. Who wants something of a lane reads the line itself, if nobody else does, and gives others what is theirs. What comes for `lane`
 * goes to the reader's own memory.
 */
struct whittle_flow_reader { struct whittle_flow_lane *lane; unsigned char *to; size_t room, came; };
void whittle_flow_line_read(struct whittle_flow_line *line, struct whittle_flow_reader *reader);
/* Before and after a stage's thread waits. One of those that wait looks at the connection beside its own lane. */
struct whittle_flow_lead whittle_flow_line_lead(const struct whittle_flow_link *link);
void whittle_flow_line_follow(struct whittle_flow_lead lead);

/* line.c, frames.c, lead.c: on the carrier's thread. */
enum { WHITTLE_FLOW_LINE_ROOM = 4 * (WHITTLE_FLOW_FRAME_SHORT + WHITTLE_FLOW_LINE), WHITTLE_FLOW_LANES = 65536 };
void whittle_flow_line_ready(struct whittle_net_source *source, uint32_t events);
void whittle_flow_line_serve(struct whittle_flow_line *line);
void whittle_flow_line_look(struct whittle_flow_link *link);
void whittle_flow_line_lose(struct whittle_flow_line *line);
void whittle_flow_line_free(struct whittle_flow_line *line);
bool whittle_flow_lines_open(struct whittle_flow_carrier *carrier);
void whittle_flow_lines_close(struct whittle_flow_carrier *carrier);
uint64_t whittle_flow_lines_due(struct whittle_flow_carrier *carrier, uint64_t now);
struct whittle_flow_line *whittle_flow_line_make(struct whittle_flow_link *base, bool connects);
bool whittle_flow_line_begin(struct whittle_flow_line *line, int fd, struct whittle_flow_session *session);
struct whittle_flow_lane *whittle_flow_line_open(struct whittle_flow_line *line, struct whittle_flow_link *link);

/* greet.c */
void whittle_flow_greet_lane(struct whittle_flow_line *line, struct whittle_flow_lane *lane);

/* A connection, or an edge's part of one. */
__attribute__((unused)) static inline ssize_t whittle_flow_stream_read(int fd, struct whittle_flow_lane *lane, void *to, size_t room)
{
    return lane != NULL ? whittle_flow_lane_read(lane, to, room) : recv(fd, to, room, MSG_DONTWAIT);
}
__attribute__((unused)) static inline ssize_t whittle_flow_stream_say(int fd, struct whittle_flow_lane *lane, const void *bytes, size_t count)
{
    return lane != NULL ? whittle_flow_lane_say(lane, bytes, count) : send(fd, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
}
__attribute__((unused)) static inline void whittle_flow_stream_shut(int fd, struct whittle_flow_lane *lane, int how)
{
    if (lane != NULL)
        whittle_flow_lane_shut(lane, how);
    else
        shutdown(fd, how);
}
void whittle_flow_stream_close(int *fd, struct whittle_flow_lane **lane);
void whittle_flow_source_close(struct whittle_net_poller *poller, struct whittle_net_source *source, struct whittle_flow_lane **lane);
#endif
