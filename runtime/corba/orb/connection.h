/* SPDX-License-Identifier: MIT-0 */
/*
 * A connection, seen from either end. What comes is cut into messages by its reader; fragments are put together there.
 *
 * At a client it is shared by all threads that call objects at the same endpoint. Who waits for a reply and finds nobody reading
 * reads, for all that wait, until its own reply is there; then the next one does. At a server it belongs to the thread that epoll
 * gave it to; `lock` guards what threads that answer its requests touch.
 */
#ifndef WHITTLE_CORBA_CONNECTION_H
#define WHITTLE_CORBA_CONNECTION_H
#include "buffer.h"
#include "object.h"
#include <sys/uio.h>

/* A message of which fragments are to come. */
struct whittle_partial {
    struct whittle_partial *next;
    struct whittle_buffer *buffer;
    const char *behind;         /* in the buffer: the end of its last fragment, where they follow each other */
    size_t filled;
    uint32_t id;
};

enum { WHITTLE_PARTIALS = 64, WHITTLE_TRUSTED = 1024 * 1024, WHITTLE_SLACK = 4096 };
struct whittle_reader {
    struct whittle_pool *pool;
    struct whittle_buffer *buffer;      /* NULL: nothing is in it */
    size_t begin, filled;               /* what came and was not looked at */
    size_t expected;                    /* the size of the message under way; 0: not known */
    size_t longest;
    struct whittle_partial *partials;
    size_t partial_count, partial_bytes;
};

enum whittle_got { WHITTLE_GOT_NOTHING, WHITTLE_GOT_MESSAGE, WHITTLE_GOT_NONSENSE };
void whittle_reader_open(struct whittle_reader *reader, struct whittle_pool *pool, size_t longest);
void whittle_reader_close(struct whittle_reader *reader);
/* Where to read to, and how much; NULL: no memory. */
char *whittle_reader_room(struct whittle_reader *reader, size_t *room);
/* The next whole message; its buffer is the caller's to give back. */
enum whittle_got whittle_reader_next(struct whittle_reader *reader, struct whittle_message *message);
/* Something has begun to come and is not whole. */
WHITTLE_INLINE bool whittle_reader_is_amid(const struct whittle_reader *reader)
{
    return reader->begin != reader->filled || reader->partials != NULL;
}
/* fragment.c */
enum whittle_got whittle_fragment_take(struct whittle_reader *reader, struct whittle_message *message);
void whittle_fragment_forget(struct whittle_reader *reader, uint32_t id);

enum whittle_state { WHITTLE_OPEN, WHITTLE_CLOSED_IN_ORDER, WHITTLE_BROKEN };

struct whittle_connection {
    struct whittle_connection *next;    /* of the ORB's clients', or servers' */
    CORBA_ORB orb;
    uint32_t refs;
    int fd;
    enum whittle_state state;
    bool server;
    pthread_mutex_t lock, writing;      /* taken in this order, or one alone */
    struct whittle_reader reader;

    /* At a client. */
    struct whittle_endpoint endpoint;
    uint32_t next_id;
    bool reading;                       /* somebody does */
    bool used;                          /* a reply has come over it */
    bool codes_told;
    bool sliced;                        /* who reads is back after a while, to see whether it is too late */
    uint64_t heard;                     /* when something came last */
    struct whittle_call *calls;         /* those that wait */

    /* At a server. */
    struct whittle_connection *previous;
    uint64_t watched;                   /* what epoll knows it by */
    struct whittle_buffer *queue, **queue_end;  /* replies that the peer has not taken yet; `writing` guards them */
    _Atomic size_t queued;
    uint64_t seen, stalled_since;       /* when something came last; since when something is under way and does not move */
    bool moved, amid, handled;
    _Atomic bool ended, gone, full;
    uint32_t interest;
    _Atomic uint32_t serving;           /* requests under way */
};

/* socket.c: `deadline` in nanoseconds of the monotonic clock, 0: none. A descriptor, or -1. */
uint64_t whittle_now(void);
int whittle_socket_connect(const struct whittle_endpoint *endpoint, uint64_t deadline, bool *late);
int whittle_socket_listen(const char *host, uint16_t port, uint16_t *chosen);
/* 1: there is something; 0: too late; -1: failed. */
int whittle_socket_wait(int fd, short events, uint64_t deadline);

/* send.c: all of it. 1: sent; 0: too late; -1: failed. `begun`: some bytes went. */
int whittle_send_all(int fd, struct iovec *pieces, int count, uint64_t deadline, bool *begun);
/* Whole, or in fragments of at most `fragment` bytes (0: whole). `each` sends one batch of pieces, and the rest if it returns 1. */
struct whittle_sending {
    int (*each)(struct whittle_sending *sending, struct iovec *pieces, int count);
    struct whittle_connection *connection;
    uint64_t deadline;
    bool begun;
};
int whittle_send_message(struct whittle_sending *sending, char *base, char *end, size_t fragment);

/* client.c: an open connection to an endpoint of the profile, made where there is none. NULL: `ev` says why. */
struct whittle_connection *whittle_client_connection(CORBA_ORB orb, struct whittle_profile *profile, uint64_t deadline, CORBA_Environment *ev);
void whittle_connection_keep(struct whittle_connection *connection);
void whittle_connection_drop(struct whittle_connection *connection);
/* No more calls over it; those that wait fail, or, where it was closed in order, are made again. With `lock` held. */
void whittle_client_fail(struct whittle_connection *connection, enum whittle_state state);
/* It is not open any more: nobody is to find it. */
void whittle_client_forget(struct whittle_connection *connection);
void whittle_client_close_all(CORBA_ORB orb);

/* wait.c: waits for the reply; false: see call->failure. */
bool whittle_wait(struct whittle_call *call);
/* Silent for long, and nobody reads: what it was told meanwhile is heard. false: it is not open. */
bool whittle_listen_to(struct whittle_connection *connection);
void whittle_wake_waiter(struct whittle_connection *connection, struct whittle_call *call);
enum whittle_failure { WHITTLE_NO_FAILURE, WHITTLE_LOST, WHITTLE_ORDERLY, WHITTLE_LATE, WHITTLE_NONSENSE, WHITTLE_NOT_SENT };
#endif
