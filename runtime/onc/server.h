/* SPDX-License-Identifier: MIT-0 */
/*
 * A server: its loop over epoll, what it listens at, its connections. Without workers one thread does all of it, and replies to
 * what came together leave together; with workers each connection is served by one thread at a time, or, where requests may overtake
 * each other, read by one and each request served by whoever is free.
 */
#ifndef WHITTLE_ONC_SERVER_H
#define WHITTLE_ONC_SERVER_H
#include "address.h"
#include "record.h"

/* What epoll points at. */
struct whittle_onc_watched {
    void (*ready)(struct whittle_onc_server *server, struct whittle_onc_watched *watched, uint32_t events);
};

struct whittle_onc_listener {
    struct whittle_onc_watched watched;
    struct whittle_onc_listener *next;
    enum whittle_onc_transport transport;
    struct whittle_onc_name name;
    char *text;
    int fd;
    bool given;                         /* by whoever started the program: the path is theirs */
};

/* How something that is under way goes on: bytes since a moment, which is moved on when they were enough. */
struct whittle_onc_meter {
    uint64_t since;                     /* 0: nothing is under way */
    uint64_t began;                     /* and this is not moved on */
    size_t moved;
};

struct whittle_onc_connection {
    struct whittle_onc_watched watched;
    struct whittle_onc_server *server;
    struct whittle_onc_connection *next, *previous; /* of the server's that are as well known: longest silent first */
    int fd;
    uint32_t refs;
    struct whittle_onc_reader reader;
    size_t charged;                     /* of the server's memory, for what has not come whole */
    size_t waiting;                     /* and for replies that the peer has not taken */
    struct whittle_onc_meter in, out;
    uint32_t low;                       /* bytes of a long record that have to be there before it is looked at; 0: any */
    bool slow;                          /* any are looked at until it is whole */
    bool known;                         /* it has asked something */
    bool leaves;                        /* to make room: it has been hung up on */
    bool local, awaits_room;            /* a Unix socket; epoll is to tell when it takes more */
    /* The lock's, where there are workers: */
    struct whittle_onc_buffer *queue, *tail;        /* replies that the peer has not taken yet */
    size_t queued;
    uint32_t interest, serving;         /* serving: requests under way */
    bool handled, ended, full, gone;    /* by a thread; nothing more comes; not served until it reads; closed */
    bool paused;                        /* what was read is not all served */
    bool presses;                       /* its replies made the server's memory too little */
    pthread_mutex_t lock;               /* it stays when the connection is another's */
    struct whittle_onc_name peer;       /* asked once; a size of 0: it is not known */
};

enum { WHITTLE_ONC_SERVING = 64 };      /* requests of one connection under way at a time */

struct whittle_onc_connections {
    struct whittle_onc_connection *first, *last;
};

/* A request that waits for a thread. */
struct whittle_onc_job {
    struct whittle_onc_job *next;
    struct whittle_onc_connection *connection;
    struct whittle_onc_message message;
};

struct whittle_onc_service {
    const struct whittle_onc_program *program;
    const void *operations;
    void *context;
};

struct whittle_onc_server {
    struct whittle_onc_server_options options;
    struct whittle_onc_pool pool;
    struct whittle_onc_service *services;
    size_t service_count;
    struct whittle_onc_listener *listeners;
    int epoll, timer, spare;
    struct whittle_onc_watched stopper, jobber, sweeper;
    int stop, wake;                     /* eventfds */
    bool stopped;
    bool shared;                        /* several threads have the loop */
    bool overtaking;                    /* and serve requests of one connection at the same time */
    uint32_t served;                    /* counts requests, where one thread has the loop */
    bool registered;
    size_t memory;                      /* bytes of requests that have not come whole, and of replies that wait */
    pthread_mutex_t gate;               /* of what follows */
    struct whittle_onc_connections strangers, known;
    struct whittle_onc_connection *unused;
    uint32_t connection_count;
    struct whittle_onc_job *jobs, *last_job;
    struct whittle_onc_duplicates *duplicates;
};

/* Locks, where several threads have the loop. */
WHITTLE_INLINE void whittle_onc_hold(const struct whittle_onc_server *server, pthread_mutex_t *lock)
{
    if (server->shared)
        pthread_mutex_lock(lock);
}

WHITTLE_INLINE void whittle_onc_let_go(const struct whittle_onc_server *server, pthread_mutex_t *lock)
{
    if (server->shared)
        pthread_mutex_unlock(lock);
}

WHITTLE_INLINE bool whittle_onc_meter_runs(const struct whittle_onc_meter *meter)
{
    return __atomic_load_n(&meter->since, __ATOMIC_RELAXED) != 0;
}

WHITTLE_INLINE void whittle_onc_meter_move(struct whittle_onc_meter *meter, size_t bytes)
{
    __atomic_fetch_add(&meter->moved, bytes, __ATOMIC_RELAXED);
}

/* From now on, or not at all. */
WHITTLE_INLINE void whittle_onc_meter_set(struct whittle_onc_meter *meter, uint64_t since)
{
    __atomic_store_n(&meter->moved, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&meter->since, since, __ATOMIC_RELAXED);
    __atomic_store_n(&meter->began, since, __ATOMIC_RELAXED);
}

/* loop.c */
bool whittle_onc_watch(struct whittle_onc_server *server, int fd, struct whittle_onc_watched *watched, uint32_t events);
bool whittle_onc_runs(const struct whittle_onc_server *server);        /* nobody has stopped it */
/* For a loop of the program's own, which waits for `epoll` to be readable: what has happened is seen to, without waiting; and, when it
   was stopped, as running ends. One thread at a time. */
void whittle_onc_server_look(struct whittle_onc_server *server);
void whittle_onc_server_finish(struct whittle_onc_server *server);
/* listen.c: somebody knocks. */
void whittle_onc_listen_end(struct whittle_onc_server *server);
void whittle_onc_accept(struct whittle_onc_server *server, struct whittle_onc_watched *watched, uint32_t events);
/* register.c: what rpcbind was told is taken back. */
void whittle_onc_unregister(struct whittle_onc_server *server);
/* connections.c */
/* NULL: the socket is asked who is at the other end. */
void whittle_onc_connection_open(struct whittle_onc_server *server, int fd, const struct whittle_onc_name *peer);
void whittle_onc_connection_touch(struct whittle_onc_connection *connection);
void whittle_onc_connection_close(struct whittle_onc_connection *connection);
void whittle_onc_connection_keep(struct whittle_onc_connection *connection);
void whittle_onc_connection_drop(struct whittle_onc_connection *connection);
void whittle_onc_connections_free(struct whittle_onc_server *server);
void whittle_onc_sweep(struct whittle_onc_server *server, struct whittle_onc_watched *watched, uint32_t events);
/* memory.c: there is too little for what is under way: whoever has had most of it for longest goes; false: it is this one. */
bool whittle_onc_make_room(struct whittle_onc_connection *connection);
/* With the connection's lock held: how much of it waits to be sent has changed. */
void whittle_onc_count_waiting(struct whittle_onc_connection *connection);
/* Without: its replies made the memory too little. */
void whittle_onc_relieve(struct whittle_onc_connection *connection);
/* connection.c */
void whittle_onc_connection_ready(struct whittle_onc_server *server, struct whittle_onc_watched *watched, uint32_t events);
uint32_t whittle_onc_connection_events(struct whittle_onc_connection *connection);     /* what epoll is to tell of it now */
/* No thread handles it any more, or, if `served`, one less serves a request of it. */
void whittle_onc_leave(struct whittle_onc_connection *connection, bool broken, bool served);
void whittle_onc_connection_served(struct whittle_onc_connection *connection);
void whittle_onc_connection_finish(struct whittle_onc_connection *connection);     /* the server stops: what has come is served */
/* epoll does not tell of it; it does again. Between, the next request itself is waited for, for a moment; false: none came. */
void whittle_onc_connection_aside(struct whittle_onc_connection *connection);
void whittle_onc_connection_back(struct whittle_onc_connection *connection);
bool whittle_onc_connection_ask(struct whittle_onc_connection *connection);
/* incoming.c: what there is is read, and served. */
enum whittle_onc_came {
    WHITTLE_ONC_CAME_NOTHING, WHITTLE_ONC_CAME_SOME, WHITTLE_ONC_CAME_MORE,    /* more may be there */
    WHITTLE_ONC_CAME_AND_LEFT                                                  /* the connection has been left to other threads */
};
enum whittle_onc_came whittle_onc_read(struct whittle_onc_connection *connection, int flags);
void whittle_onc_await_less(struct whittle_onc_connection *connection);    /* a long record may come slowly: its parts are looked at */
bool whittle_onc_messages(struct whittle_onc_connection *connection);      /* what was read already; true: it has been left */
/* jobs.c */
void whittle_onc_job_add(struct whittle_onc_connection *connection, const struct whittle_onc_message *message);
void whittle_onc_job_do(struct whittle_onc_server *server, struct whittle_onc_watched *watched, uint32_t events);
void whittle_onc_jobs_finish(struct whittle_onc_server *server);
/* outgoing.c: with the connection's lock held. false: the connection is broken. */
bool whittle_onc_flush(struct whittle_onc_connection *connection);
void whittle_onc_enqueue(struct whittle_onc_connection *connection, struct whittle_onc_buffer *buffer);
/* serve.c: a message from a client; false: it is no call at all. */
bool whittle_onc_serve_message(struct whittle_onc_server *server, struct whittle_onc_connection *connection, const void *datagram,
                               struct whittle_onc_message *message);
/* caller.c: whether the call is served: 0, or why not. */
uint32_t whittle_onc_judge(struct whittle_onc_request *request);
void whittle_onc_caller_address(struct whittle_onc_request *request);
/* refuse.c */
void whittle_onc_refuse_caller(struct whittle_onc_request *request, uint32_t reason);
void whittle_onc_refuse_versions(struct whittle_onc_request *request, bool program, uint32_t lowest, uint32_t highest);
/* reply.c: room for a reply; where its message begins, behind the mark. */
char *whittle_onc_reply_room(struct whittle_onc_request *request);
void whittle_onc_reply_done(struct whittle_onc_request *request, char *at);
void whittle_onc_reply_close(struct whittle_onc_request *request);
/* arena.c */
void *whittle_onc_arena(struct whittle_xdr_in *in, size_t size, uint32_t count, void (*release)(void *item));
void whittle_onc_arena_close(struct whittle_onc_request *request);
/* datagrams.c */
void whittle_onc_datagram_ready(struct whittle_onc_server *server, struct whittle_onc_watched *watched, uint32_t events);
void whittle_onc_datagram_answer(struct whittle_onc_request *request, const char *base, size_t size);
#endif
