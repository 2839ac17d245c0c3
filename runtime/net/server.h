/* SPDX-License-Identifier: MIT-0 */
/*
 * A server of connections: its loop, what it listens at, its connections, its memory. A protocol gives what cuts bytes into messages
 * and what serves one. Without workers one thread does all of it, and replies to what came together leave together; with workers each
 * connection is served by one thread at a time, or, where requests may overtake each other, read by one and each request served by
 * whoever is free.
 *
 * The way of a request: loop.c -> poller.c -> connection.c -> incoming.c (reads, cuts) -> the protocol serves -> outgoing.c (replies).
 */
#ifndef WHITTLE_NET_SERVER_H
#define WHITTLE_NET_SERVER_H
#include "spin.h"
#include "futex_sleep.h"
#include "poller.h"
#include "reader.h"
#include "socket.h"
#include "stream.h"

#define WHITTLE_NET_ACCEPTS 16      /* connections that one event of a listener accepts */

struct whittle_net_server;
struct whittle_net_connection;

/* What a message is: REQUEST is to be served; the others are dealt with already, and CLOSE is the peer's last. */
enum whittle_net_kind { WHITTLE_NET_REQUEST, WHITTLE_NET_CONTROL, WHITTLE_NET_CLOSE, WHITTLE_NET_NO_MESSAGE };

struct whittle_net_protocol {
    size_t lead, keep;                  /* where what comes is read to: reader.h */
    /* The next whole message of what came; its buffer is the caller's to give back. ERROR: it is none of the protocol's. */
    enum whittle_net_got (*next)(struct whittle_net_reader *reader, struct whittle_net_message *message);
    /* Gives up partial messages. NULL: there are none. */
    void (*forget)(struct whittle_net_reader *reader);
    /* What it is; NULL: all are requests. What is no request is given back. */
    enum whittle_net_kind (*kind)(struct whittle_net_connection *connection, struct whittle_net_message *message);
    /* Serves a request, and gives its buffer back. false: it is none of the protocol's. */
    bool (*serve)(struct whittle_net_server *server, struct whittle_net_connection *connection, struct whittle_net_message *message);
    /* Replies that there is no memory for it now, and gives its buffer back. */
    void (*refuse)(struct whittle_net_server *server, struct whittle_net_connection *connection, struct whittle_net_message *message);
    /* Says that a message was none of the protocol's, and that the server hangs up; NULL: nothing is said. */
    void (*protocol_error)(struct whittle_net_connection *connection);
    void (*goodbye)(struct whittle_net_connection *connection);
    /* Now and then: gives up requests that it keeps for connections that have gone. NULL: it keeps none. */
    void (*sweep)(struct whittle_net_server *server);
};

/* What holds where an option is 0: server.c. Memory in bytes, time in nanoseconds. */
struct whittle_net_options {
    uint32_t workers;                   /* threads that serve; at most 1: the one that runs the server */
    bool overtaking;                    /* with workers: requests of one connection may be served at the same time */
    size_t longest;                     /* of a request */
    size_t decoded;                     /* of the values of one request */
    size_t pending;                     /* of replies that a peer leaves unread before no more is read from it */
    size_t memory;                      /* of all that peers cause */
    uint32_t connections;
    uint64_t patience;                  /* for a message to progress, in or out */
    uint64_t grace;                     /* to end */
};

/* A place to listen at. */
struct whittle_net_listener {
    struct whittle_net_source source;
    struct whittle_net_server *server;
    struct whittle_net_listener *next;
    enum whittle_net_transport transport;
    const struct whittle_net_stream_ops *ops;       /* of the connections that come here */
    struct whittle_net_name name;
    char *text;                         /* the name, as addresses are written */
    uint64_t mark;                      /* of a path: socket.h */
    bool adopted;                       /* somebody else made it: the path is theirs */
    bool paused;                        /* no memory, descriptor or place is left: until the resume timer looks again */
};

/* How a message goes on: bytes since a moment, which is moved on when they were enough. */
struct whittle_net_meter {
    uint64_t since;                     /* 0: none is under way */
    uint64_t began;                     /* and this is not moved on */
    size_t moved;
};

enum { WHITTLE_NET_SERVING = 64 };      /* requests of one connection under way at a time */

struct whittle_net_connection {
    struct whittle_net_source source;
    struct whittle_net_stream stream;   /* of that descriptor */
    struct whittle_net_server *server;
    struct whittle_net_connection *next, *previous; /* of the server's that are as active: longest silent first */
    struct whittle_net_connection *beside, *before; /* in the circle of those that the loop itself looks at; NULL: it is not in it */
    struct whittle_net_reader reader;
    size_t held;                        /* of the server's memory, for what has not come whole */
    struct whittle_net_meter in, out;
    uint32_t low;                       /* bytes of a long message that have to be there before it is looked at; 0: any */
    bool slow;                          /* any are looked at until it is whole */
    uint64_t active_at;                 /* when it came, last sent a request, was last served, or was last found busy */
    bool active;                        /* it has sent a request */
    uint32_t memory_retries;            /* how often there was no memory for it, one time after the other */
    bool retried;                       /* a job is to try it again */
    bool leaving;                       /* to make room: it has been hung up on */
    bool local, awaits_room;            /* a Unix socket; epoll is to report when it takes more */
    pthread_mutex_t lock;               /* of what follows, where there are workers */
    struct whittle_net_buffer *queue, *tail;        /* replies that the peer has not taken yet */
    size_t queued, kept;                /* bytes of them, and of the buffers that they are in */
    uint32_t armed, serving;            /* events that epoll is to report; requests under way */
    bool handled;                       /* by a thread */
    bool ended, broken, closed;         /* nothing more is read; nothing more can be sent either; out of the server's lists */
    bool full, paused;                  /* nothing is served until the peer reads; what was read is not all served */
    struct whittle_net_name peer;
};

struct whittle_net_connections {
    struct whittle_net_connection *first, *last;
    uint32_t count;
};

struct whittle_net_server {
    const struct whittle_net_protocol *protocol;
    struct whittle_net_options options;
    struct whittle_net_pool pool;
    struct whittle_net_poller poller;
    struct whittle_net_listener *listeners;
    struct whittle_net_source stop_event, job_event, sweep_timer, resume_timer;  /* eventfds, and timers */
    void (*datagram_ready)(struct whittle_net_source *source, uint32_t events);     /* for datagrams; NULL: there are none */
    int spare;                          /* a descriptor to give up where none is left */
    bool stopped;
    bool shared, overtaking;            /* several threads have the loop; and serve requests of one connection at the same time */
    uint32_t served;                    /* counts requests, where one thread has the loop */
    uint64_t ends_at;                   /* stopped: no request begins after this; 0: it runs */
    uint64_t shed_at;                   /* when memory was last made room for */
    bool any_paused;                    /* a listener is */
    struct whittle_net_usage usage;     /* counters; see whittle_net_usage_of */
    pthread_mutex_t gate;               /* of what follows; taken before a connection's lock */
    struct whittle_net_connections fresh, active;
    struct whittle_net_connection *polled;        /* those that the loop itself looks at, where one thread has it */
    struct whittle_net_spin spin;         /* whether that pays */
    uint64_t spin_time;                 /* how long, in nanoseconds */
    struct whittle_net_watcher watcher; /* while that thread sleeps */
    uint32_t connection_count, leaving_count;       /* in the lists, which others may look at without the gate; and of these, those that make room */
    uint32_t open_count;                /* atomic: descriptors of connections, of those out of the lists, too, until their last holder is done */
    struct whittle_net_job *jobs, *last_job;        /* requests that wait for a thread */
};

/* Locks that one thread alone need not take. */
WHITTLE_INLINE void whittle_net_lock(const struct whittle_net_server *server, pthread_mutex_t *lock)
{
    if (server->shared)
        pthread_mutex_lock(lock);
}

WHITTLE_INLINE void whittle_net_unlock(const struct whittle_net_server *server, pthread_mutex_t *lock)
{
    if (server->shared)
        pthread_mutex_unlock(lock);
}

/* Counts one more; one thread alone needs no locked instruction. */
WHITTLE_INLINE void whittle_net_increment(const struct whittle_net_server *server, uint64_t *counter)
{
    if (server->shared)
        __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
    else
        __atomic_store_n(counter, *counter + 1, __ATOMIC_RELAXED);
}

WHITTLE_INLINE bool whittle_net_runs(const struct whittle_net_server *server)
{
    return !__atomic_load_n(&server->stopped, __ATOMIC_ACQUIRE);
}

/* server.c. false: no memory, or no descriptors; whittle_net_server_close is to be called all the same. */
bool whittle_net_server_open(struct whittle_net_server *server, const struct whittle_net_protocol *protocol, const struct whittle_net_options *options);
void whittle_net_server_close(struct whittle_net_server *server);
void whittle_net_usage_of(const struct whittle_net_server *server, struct whittle_net_usage *usage);

/* loop.c. Serves until stopped, in this thread and in workers, as many as there is memory for; then finishes. */
void whittle_net_run(struct whittle_net_server *server);
/* One thread's part of that: until stopped. */
void whittle_net_loop(struct whittle_net_server *server);
/* Any thread may, and a signal's handler. */
void whittle_net_stop(struct whittle_net_server *server);
/* One thread is left: what was asked is replied to, within the grace, and all is closed. */
void whittle_net_finish(struct whittle_net_server *server);

/* listen.c. A failure, or 0; errno says why it cannot listen. */
int whittle_net_listen(struct whittle_net_server *server, const struct whittle_net_address *address);
int whittle_net_listen_adopted(struct whittle_net_server *server, int fd);
const char *whittle_net_listener_text(const struct whittle_net_server *server, size_t index);   /* NULL: there are fewer */
/* One whose events something else sees to; it is owned by the server then. false: no memory, and it is closed. */
bool whittle_net_listener_add(struct whittle_net_server *server, struct whittle_net_listener *listener);
void whittle_net_listen_again(struct whittle_net_server *server);       /* those that were paused */
void whittle_net_resume_listening(struct whittle_net_source *source, uint32_t events);      /* the same, when the resume timer's time has come */
void whittle_net_listen_end(struct whittle_net_server *server);

/* connections.c. As many as may be, and all are busy: who comes waits. */
bool whittle_net_is_crowded(struct whittle_net_server *server);
/* Whoever has one but the poller's handler keeps it. NULL: no memory, or it is crowded. */
struct whittle_net_connection *whittle_net_connection_new(struct whittle_net_server *server, const struct whittle_net_stream_ops *ops, int fd,
                                                          const struct whittle_net_name *peer);
void whittle_net_connection_touch(struct whittle_net_connection *connection, uint64_t now);     /* it has sent a request */
void whittle_net_connection_close(struct whittle_net_connection *connection);   /* out of the lists, once; its last holder closes the socket */
/* It served for so long that it may seem silent: what the peer has had no time to answer is no silence. */
void whittle_net_connection_served(struct whittle_net_connection *connection);
/* An idle one whose stream has memory is hung up on: it is free a moment later. false: there is none. */
bool whittle_net_evict_memory(struct whittle_net_server *server);
/* It makes room, and its place counts as free. With the gate held. */
void whittle_net_connection_leaves(struct whittle_net_connection *connection);
struct whittle_net_connection *whittle_net_connection_any(const struct whittle_net_server *server);
/* Gives back the buffer of one that is idle. With the gate held. */
void whittle_net_connection_rest(struct whittle_net_connection *connection);
/* sweep.c. Hangs up on those whose messages do not progress. */
void whittle_net_sweep(struct whittle_net_source *source, uint32_t events);
/* shed.c. Where memory is tight, who has held most of it for longest is hung up on; whether somebody is, or was a moment ago. */
bool whittle_net_shed(struct whittle_net_server *server);
/* The same where something just found no memory. */
bool whittle_net_shed_now(struct whittle_net_server *server);
/* Whether there is memory for one more connection, which needs so much, now or in a moment; false: who knocks waits for it. */
bool whittle_net_has_room(struct whittle_net_server *server, size_t needs);

/* connection.c. The connection is the server's from here on: `peer` NULL: the socket is asked who is at the other end. */
void whittle_net_connection_open(struct whittle_net_server *server, const struct whittle_net_stream_ops *ops, int fd, const struct whittle_net_name *peer);
uint32_t whittle_net_connection_events(struct whittle_net_connection *connection);
void whittle_net_connection_serve(struct whittle_net_connection *connection, struct whittle_net_message *message);
/* The request that is being served is kept by the protocol, as a job, until whittle_net_job_put: it is under way as long. */
void whittle_net_connection_hold(struct whittle_net_connection *connection);
/* No thread reads from it any more, or, if `served`, one request less is under way. */
void whittle_net_connection_leave(struct whittle_net_connection *connection, bool served);
void whittle_net_connection_finish(struct whittle_net_connection *connection);  /* the server stops */
/* Waits for the next request itself, for a moment; false: none came. */
bool whittle_net_connection_wait(struct whittle_net_connection *connection);

/* incoming.c. Reads once; how much is there. NO_ROOM: there is no memory now, and it is to be tried again. */
enum whittle_net_came { WHITTLE_NET_CAME_NOTHING, WHITTLE_NET_CAME_SOME, WHITTLE_NET_CAME_MORE, WHITTLE_NET_NO_ROOM };
enum whittle_net_came whittle_net_read(struct whittle_net_connection *connection, int flags);
/* The next request that is to be served now. */
bool whittle_net_next_request(struct whittle_net_connection *connection, struct whittle_net_message *message);
void whittle_net_measure(struct whittle_net_connection *connection, size_t served); /* so many were served: what is under way now */
void whittle_net_await_less(struct whittle_net_connection *connection);     /* a long message may come slowly: its parts are looked at */
void whittle_net_end_reading(struct whittle_net_connection *connection);
/* The same, and nobody reads replies any more, either. */
void whittle_net_lose(struct whittle_net_connection *connection);
/* The peer does not keep to the protocol: it gets an error, and its connection is closed. */
void whittle_net_protocol_error(struct whittle_net_connection *connection);

/* jobs.c. A request for whoever is free, or, without a buffer, a connection that is to be tried again; false: no memory, it is still
   the caller's. */
struct whittle_net_job {
    struct whittle_net_job *next;
    struct whittle_net_connection *connection;      /* kept */
    struct whittle_net_message message;
};
struct whittle_net_job *whittle_net_job_new(struct whittle_net_connection *connection, const struct whittle_net_message *message);  /* NULL: no memory */
void whittle_net_job_put(struct whittle_net_job *job);
bool whittle_net_job_add(struct whittle_net_connection *connection, const struct whittle_net_message *message);     /* both */
struct whittle_net_job *whittle_net_job_take(struct whittle_net_server *server);    /* NULL: there is none; to be freed */
void whittle_net_job_free(struct whittle_net_server *server, struct whittle_net_job *job);
void whittle_net_jobs_wake(struct whittle_net_server *server);      /* a thread is to look for one */
/* connection.c. */
void whittle_net_job_do(struct whittle_net_source *source, uint32_t events);
void whittle_net_jobs_finish(struct whittle_net_server *server);        /* those that can begin before it ends; the others are dropped */

/* poll_memory.c. Connections whose bytes come without the system: one thread looks at them itself. */
void whittle_net_poll_memory_begin(struct whittle_net_connection *connection);
void whittle_net_poll_memory_end(struct whittle_net_connection *connection);
/* Serves them, and others now and then, until nothing has come for a while; then they wake epoll. */
void whittle_net_poll_memory(struct whittle_net_server *server);
/* Something is there; one thread has the loop. */
bool whittle_net_memory_has_any(const struct whittle_net_server *server);
/* They are to wake epoll; false: something is there already. */
bool whittle_net_can_sleep(struct whittle_net_server *server);
/* The same for a loop of the program's own, which is not to be held up. */
void whittle_net_settle(struct whittle_net_server *server);

/* outgoing.c. Where a reply goes; NULL: no memory. `connection` NULL: to none. */
char *whittle_net_output_open(struct whittle_net_server *server, struct whittle_net_connection *connection, struct whittle_net_output *output);
/* The first `used` bytes in more room, `least` bytes at least and `most` at most: where they are now. NULL: too much, or no memory. */
char *whittle_net_output_grow(struct whittle_net_server *server, struct whittle_net_output *output, size_t used, size_t least, size_t most);
/* The first `size` bytes are sent, soon; the buffer is the connection's. */
void whittle_net_output_send(struct whittle_net_connection *connection, struct whittle_net_output *output, size_t size);
WHITTLE_INLINE void whittle_net_output_drop(struct whittle_net_server *server, struct whittle_net_output *output)
{
    if (output->buffer != NULL && !output->appended)
        whittle_net_buffer_give(&server->pool, output->buffer);
    output->buffer = NULL;
}
/* Nothing more is read from it, and nothing sent. */
void whittle_net_hang_up(struct whittle_net_connection *connection);
/* A few bytes at once, where nothing waits before them. */
void whittle_net_send_bytes(struct whittle_net_connection *connection, const void *bytes, size_t size);
/* What waits is sent, as far as the peer takes it. false: the connection is broken. */
bool whittle_net_flush(struct whittle_net_connection *connection);

/* How a message goes on. Whoever has the connection moves it, and the sweep timer looks. */
WHITTLE_INLINE bool whittle_net_meter_runs(const struct whittle_net_meter *meter)
{
    return __atomic_load_n(&meter->since, __ATOMIC_RELAXED) != 0;
}

WHITTLE_INLINE void whittle_net_meter_move(struct whittle_net_meter *meter, size_t bytes)
{
    __atomic_fetch_add(&meter->moved, bytes, __ATOMIC_RELAXED);
}

/* From now on, or not at all. */
WHITTLE_INLINE void whittle_net_meter_set(struct whittle_net_meter *meter, uint64_t since)
{
    __atomic_store_n(&meter->moved, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&meter->since, since, __ATOMIC_RELAXED);
    __atomic_store_n(&meter->began, since, __ATOMIC_RELAXED);
}
#endif
