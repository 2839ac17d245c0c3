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
    char *default_initial, *host, *publish, *local;
    uint32_t port, workers, timeout, longest, decoded, memory, fragment, connections, outgoing, pending, patience, grace, version;
    enum whittle_forwards forwards;
    bool end_point;             /* one of TCP was given; `local`: of shared memory */
};

struct CORBA_ORB_struct {
    struct CORBA_Object_struct head;
    struct CORBA_ORB_struct *next;      /* of the process */
    char *id;
    struct whittle_options options;
    struct whittle_net_pool pool;       /* of what this program sends */
    struct whittle_net_pool replies;    /* of what servers send to it: bounded */
    uint64_t stamp;                     /* what distinguishes references of this run from those of an earlier one */

    pthread_mutex_t lock;               /* of what follows; never taken with a connection's held */
    struct whittle_connection *clients;
    uint32_t client_count;
    struct whittle_adapter *root;
    struct whittle_adapter *adapters[64];   /* by the hash of their prefixes */
    uint32_t adapter_count;
    CORBA_Object current;

    struct whittle_net_server net;
    struct whittle_published at;        /* what references say, once `listens` */
    bool listens;                       /* atomic */
    pthread_mutex_t loop;               /* whose turn it is, where there are no workers */
    pthread_mutex_t gate;               /* of what follows */
    pthread_cond_t idle;
    uint32_t running;                   /* threads in the loop */
    pthread_t *workers;
    uint32_t worker_count;
    bool shared;                        /* several threads have the loop */
    bool ended;                         /* these two are read and written by __atomic functions */
    bool stopping;                      /* somebody wants it to end, who may take no lock: a signal's handler */
    bool closing, closed, destroyed;

    /* Objects that are served without adapters (runtime/corba/plain): whose key it is, and its servant. NULL: it is nobody's. */
    const struct whittle_interface *(*find)(void *finder, const char *key, uint32_t length, PortableServer_Servant *servant);
    void *finder;
};

WHITTLE_INLINE bool whittle_orb_has_ended(CORBA_ORB orb)
{
    return __atomic_load_n(&orb->ended, __ATOMIC_SEQ_CST);
}

WHITTLE_INLINE bool whittle_orb_stops(CORBA_ORB orb)
{
    return __atomic_load_n(&orb->stopping, __ATOMIC_SEQ_CST);
}

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

/* listen.c: begins to listen where it does not yet. false: `ev` says why, and errno. */
bool whittle_listen_at(CORBA_ORB orb, CORBA_Environment *ev);
WHITTLE_INLINE bool whittle_orb_listens(CORBA_ORB orb)
{
    return __atomic_load_n(&orb->listens, __ATOMIC_ACQUIRE);
}

/* loop.c */
enum whittle_turn { WHITTLE_TURN_NOTHING, WHITTLE_TURN_DONE, WHITTLE_TURN_ENDED };
bool whittle_in_loop(CORBA_ORB orb);    /* this thread serves, and no other does */
/* Serves others, once, until something has come over the stream (true) or `until`. */
bool whittle_serve_meanwhile(CORBA_ORB orb, struct whittle_net_stream *stream, uint64_t until);
bool whittle_loop_has_work(CORBA_ORB orb, int timeout);
bool whittle_loop_open(CORBA_ORB orb);
void whittle_loop_run(CORBA_ORB orb);
void whittle_loop_once(CORBA_ORB orb);  /* what has come, without waiting */
void whittle_loop_end(CORBA_ORB orb, bool wait);

/* server.c */
extern const struct whittle_net_protocol whittle_giop_server;
WHITTLE_INLINE CORBA_ORB whittle_orb_of(struct whittle_net_server *server)
{
    return (CORBA_ORB)(void *)((char *)server - offsetof(struct CORBA_ORB_struct, net));
}

/* serve.c: one message from a client. false: it is none of GIOP's. */
bool whittle_serve(CORBA_ORB orb, struct whittle_net_connection *connection, struct whittle_net_message *message);
/* There is no memory to serve it. */
void whittle_serve_not(CORBA_ORB orb, struct whittle_net_connection *connection, struct whittle_net_message *message);
/* A call within this process, whose reply is left in it. */
void whittle_serve_here(struct whittle_call *call, char *end);
/* invoke.c: the request's header has been read. */
void whittle_invoke(struct whittle_request *request);

/* reply.c */
void whittle_request_open(struct whittle_request *request, CORBA_ORB orb, struct whittle_net_connection *connection,
                          const struct whittle_net_message *message);
void whittle_request_close(struct whittle_request *request);
void whittle_reply_locate(struct whittle_request *request, enum whittle_locate_status status);
void whittle_reply_forward(struct whittle_request *request, CORBA_Object forward);
/* NO_RESOURCES, COMPLETED_NO. */
void whittle_reply_refuse(struct whittle_request *request);
/* storage.c */
void *whittle_request_allocate(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *item));
void whittle_storage_open(struct whittle_request *request);
void whittle_storage_close(struct whittle_request *request);

/* current.c: the request that this thread serves. */
extern __thread struct whittle_request *whittle_current;
/* serve.c: the one that it has begun to look at last; others by `before`. */
extern __thread struct whittle_request *whittle_begun;
#endif
