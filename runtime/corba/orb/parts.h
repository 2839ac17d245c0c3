/* SPDX-License-Identifier: MIT-0 */
/* The ORB itself, and what its files do for each other. */
#ifndef WHITTLE_CORBA_PARTS_H
#define WHITTLE_CORBA_PARTS_H
#include "adapter.h"
#include "connection.h"

struct whittle_initial {
    struct whittle_initial *next;
    char *name, *url;
};

struct whittle_options {
    struct whittle_initial *initial;
    char *default_initial, *host, *publish;
    uint32_t port, workers, timeout, longest, fragment, connections, pending, patience, version;
    bool end_point;             /* one was given */
};

/* What epoll knows a descriptor by: one of these, or a place in the ORB's slots and which of its holders is meant. */
enum whittle_watched { WHITTLE_WATCH_LISTENER = 1, WHITTLE_WATCH_WAKE, WHITTLE_WATCH_TIMER };
struct whittle_slot {
    struct whittle_connection *connection;
    uint32_t holder;                    /* counts, from 1 on */
};

struct CORBA_ORB_struct {
    struct CORBA_Object_struct head;
    struct CORBA_ORB_struct *next;      /* of the process */
    char *id;
    struct whittle_options options;
    struct whittle_pool pool;
    uint64_t stamp;                     /* what tells references of this run from those of an earlier one */

    pthread_mutex_t lock;               /* of what follows; never taken with a connection's held */
    struct whittle_connection *clients;
    struct whittle_adapter *root;
    struct whittle_adapter *adapters[64];   /* by the hash of their prefixes */
    uint32_t adapter_count;
    CORBA_Object current;

    /* The server. */
    int epoll, wake, listener, timer, spare;
    char *host;                         /* what references say */
    uint16_t port;
    pthread_mutex_t loop;               /* whose turn it is, where there are no workers */
    pthread_mutex_t gate;               /* of what follows */
    pthread_cond_t idle;
    struct whittle_connection *servers;
    uint32_t server_count;
    struct whittle_slot *slots;
    uint32_t slot_count;
    struct whittle_held *jobs, **jobs_end;  /* requests that wait for a thread */
    uint32_t running;                   /* threads in the loop */
    pthread_t *workers;
    uint32_t worker_count;
    uint64_t sequence;                  /* counts what comes */
    bool shared;                        /* several threads have the loop */
    _Atomic bool ended;
    _Atomic bool stopping;              /* somebody wants it to end, who may take no lock: a signal's handler */
    bool closed, destroyed;

    /* Objects that are served without adapters (runtime/corba/plain): whose key it is, and its servant. NULL: it is nobody's. */
    const struct whittle_interface *(*find)(void *finder, const char *key, uint32_t length, PortableServer_Servant *servant);
    void *finder;
};

/* options.c: what holds where nothing is said. */
struct whittle_options whittle_options_usual(void);
/* false: `ev` says why. */
bool whittle_options_read(struct whittle_options *options, int *argc, char **argv, CORBA_Environment *ev);
void whittle_options_drop(struct whittle_options *options);

/* initial.c, corbaloc.c, corbaname.c */
CORBA_Object whittle_corbaloc(CORBA_ORB orb, const char *text, CORBA_Environment *ev);
CORBA_Object whittle_corbaname(CORBA_ORB orb, const char *text, CORBA_Environment *ev);
char *whittle_unescape(const char *text, size_t size, size_t *length);
int whittle_digit(char digit);      /* hexadecimal; -1: none */
CORBA_Object whittle_ior_parse(CORBA_ORB orb, const char *digits, CORBA_Environment *ev);

/* orb.c: the ORB to which references belong that come out of a message: of the request being served, or the process's first. */
CORBA_ORB whittle_orb_at_hand(void);
/* That of this id, made where there is none; the options are moved into it, also where NULL, `ev` says why, is returned. */
CORBA_ORB whittle_orb_open(const char *id, struct whittle_options *options, CORBA_Environment *ev);
void whittle_orb_destroy(CORBA_ORB orb);

/* call.c: `out` is the call's buffer, which grows; where it begins. NULL: there is no buffer. */
char *whittle_call_room(struct whittle_call *call);
/* Who is called: what the reference was forwarded to, or itself; kept. */
struct whittle_reference *whittle_call_target(struct whittle_reference *reference);
void whittle_call_forwarded(struct whittle_reference *reference, struct whittle_reference *to);
/* request.c: the header of a request; where the parameters begin. Without an operation: of a LocateRequest. */
char *whittle_request_write(struct whittle_call *call, const struct whittle_reference *target, const struct whittle_profile *profile,
                            const char *operation, uint32_t size);
/* answer.c: what the reply says. */
enum whittle_answer whittle_answer_read(struct whittle_call *call, CORBA_Environment *ev);
enum whittle_answer whittle_answer_failed(struct whittle_call *call, CORBA_Environment *ev);

/* listen.c: begins to listen where it does not yet. */
bool whittle_listen(CORBA_ORB orb, CORBA_Environment *ev);
void whittle_accept(CORBA_ORB orb);
void whittle_listen_end(CORBA_ORB orb);

/* loop.c */
enum whittle_turn { WHITTLE_TURN_NOTHING, WHITTLE_TURN_DONE, WHITTLE_TURN_ENDED };
enum whittle_turn whittle_turn(CORBA_ORB orb, int timeout);
void whittle_wake(CORBA_ORB orb);
/* A request for any thread of the loop; the connection is kept by it. */
void whittle_job(CORBA_ORB orb, struct whittle_connection *connection, struct whittle_message *message);
bool whittle_in_loop(CORBA_ORB orb);    /* this thread serves, and no other does */
/* Serves others while nothing has come over the socket, once: what happened. */
enum whittle_event { WHITTLE_EVENT_NONE, WHITTLE_EVENT_THERE, WHITTLE_EVENT_LATE };
enum whittle_event whittle_serve_meanwhile(CORBA_ORB orb, int fd, uint64_t deadline);
void whittle_loop_run(CORBA_ORB orb);
bool whittle_loop_open(CORBA_ORB orb);
void whittle_loop_end(CORBA_ORB orb, bool wait);
void whittle_loop_close(CORBA_ORB orb);
bool whittle_loop_add(CORBA_ORB orb, int fd, uint64_t what, uint32_t events);

/* server.c: what epoll says of a connection. */
void whittle_server_ready(struct whittle_connection *connection, uint32_t events);
/* servers.c: the connection that epoll means, kept; NULL: it is closed. */
struct whittle_connection *whittle_server_of(CORBA_ORB orb, uint64_t watched);
void whittle_server_close(struct whittle_connection *connection);
void whittle_server_nonsense(struct whittle_connection *connection);
/* servers.c */
void whittle_server_accept(CORBA_ORB orb, int fd);
void whittle_server_sweep(CORBA_ORB orb);
void whittle_server_end(CORBA_ORB orb);
void whittle_server_watch(struct whittle_connection *connection);
void whittle_server_done(struct whittle_connection *connection);    /* a request of it has been served */

/* outgoing.c: sends what it can at once, and keeps the rest for when the peer takes it. The buffer is given up. */
void whittle_outgoing(struct whittle_connection *connection, struct whittle_buffer *buffer, char *base, char *end, size_t fragment);
bool whittle_outgoing_flush(struct whittle_connection *connection);

/* serve.c: one message from a client; `connection` NULL: a call within this process, whose reply is left in `reply`. */
void whittle_serve(CORBA_ORB orb, struct whittle_connection *connection, struct whittle_message *message);
void whittle_serve_here(struct whittle_call *call, char *end);
/* invoke.c: the request's header has been read. */
void whittle_invoke(struct whittle_request *request);

/* reply.c */
void whittle_request_open(struct whittle_request *request, CORBA_ORB orb, struct whittle_connection *connection,
                          const struct whittle_message *message);
void whittle_request_close(struct whittle_request *request);
void whittle_reply_locate(struct whittle_request *request, enum whittle_locate_status status);
void whittle_reply_forward(struct whittle_request *request, CORBA_Object forward);
/* arena.c */
void *whittle_request_allocate(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *item));
void whittle_arena_close(struct whittle_request *request);

/* current.c: the request that this thread serves. */
extern _Thread_local struct whittle_request *whittle_current;
#endif
