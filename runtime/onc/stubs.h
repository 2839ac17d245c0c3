/* SPDX-License-Identifier: MIT-0 */
/* What generated code and the run time do for each other. Arguments and results are XDR, marshalled straight into messages. */
#ifndef WHITTLE_ONC_STUBS_H
#define WHITTLE_ONC_STUBS_H
#include "onc.h"
#include "call.h"
#include "version.h"
#include <whittle/xdr_out.h>
#include <whittle/later.h>
#include <whittle/xdr_in.h>
#ifdef __cplusplus
extern "C" {
#endif

struct whittle_net_connection;
struct whittle_net_lent;

/* Bytes of an argument that go from where they are. */
struct whittle_onc_reference {
    size_t at;                                  /* where they belong in the message, as it stands in its buffer */
    const char *bytes;
    size_t size;
};

/* One call, on its caller's stack; whittle_onc_begin sets all of it. */
struct whittle_onc_call {
    struct whittle_xdr_out out;                 /* the arguments */
    struct whittle_xdr_in in;                   /* the results; what they hold is malloc's */
    const char *at;                             /* where they begin */
    /* The run time's: */
    struct whittle_onc_client *client;
    struct whittle_net_call net;                /* among those that wait */
    struct whittle_net_buffer *buffer;
    struct whittle_net_lent *lent;              /* what results lie in that are not to be copied */
    char *end;                                  /* of the request's message */
    struct whittle_onc_reference references[2];
    uint32_t reference_count;
    size_t referred;                            /* bytes */
    size_t decoded;                             /* bytes that the results may still take */
    uint64_t entered, interval;                 /* when it was begun; nanoseconds until the request is sent again */
    uint32_t program, version;
    int status;
    bool sent, waited;                          /* waited: for a lock, a connection or room to send */
};

/*
 * A call is begun, its arguments written, sent, received, its results read, ended. Whatever fails on the way, it goes on: each step
 * takes NULL for what the one before it could not give, and the end says what became of it.
 */
/* Where the arguments go; NULL: no memory. */
char *whittle_onc_begin(struct whittle_onc_call *call, struct whittle_onc_client *client, uint32_t program, uint32_t version,
                        uint32_t procedure);
/* Sends what ends at `at`, and waits. 0: the results lie from call->at to call->in.end, and may be borrowed until the end. */
int whittle_onc_exchange(struct whittle_onc_call *call, char *at);
/* The same in two: many calls may be sent before the first is received, in any order. What is sent goes with what follows it:
   with a receive that waits, an exchange, a flush, or when much of it waits. The call stays where it is in memory until it ends. */
int whittle_onc_send(struct whittle_onc_call *call, char *at);
int whittle_onc_receive(struct whittle_onc_call *call);
/* Sends with what follows, too, and expects no reply (RFC 5531, section 8.4.1: batching). */
int whittle_onc_post(struct whittle_onc_call *call, char *at);
/* `at` is behind the results, NULL: they could not be read, or the call failed before. What is left of the call is given up. Returns its status. */
int whittle_onc_end(struct whittle_onc_call *call, const char *at);

/* The results will stay in the message, and in storage beside it. false: no memory. */
bool whittle_onc_lend(struct whittle_onc_call *call);
/* The same end for these: `reply` holds what they lie in, and is NULL where there are none. */
int whittle_onc_end_lent(struct whittle_onc_call *call, const char *at, struct whittle_onc_reply **reply);

/* A call that is being served. */
struct whittle_onc_request {
    struct whittle_xdr_in in;                   /* the arguments, to be borrowed; what they hold is released behind the dispatch */
    const char *at;                             /* where they begin */
    struct whittle_xdr_out out;                 /* the results, behind whittle_onc_reply */
    uint32_t procedure;
    /* The run time's: */
    uint32_t xid;
    struct whittle_onc_server *server;
    struct whittle_net_connection *connection;  /* NULL: a datagram */
    const void *datagram;
    struct whittle_net_output output;           /* that the reply goes to */
    bool answered;                              /* sent */
    struct whittle_net_arena arena;             /* storage of the arguments */
    struct whittle_onc_caller caller;
    uint32_t groups[16];
    char machine[256];
};

/* A program, and what serves its procedures: `operations` and `context` are what whittle_onc_serve was given. */
struct whittle_onc_program {
    uint32_t program, version;
    void (*dispatch)(const void *operations, void *context, struct whittle_onc_request *request);
};
/* Before the server runs. NO_MEMORY, or 0. */
int whittle_onc_serve(struct whittle_onc_server *server, const struct whittle_onc_program *program, const void *operations, void *context);
/* Where the results go; NULL: no memory. */
char *whittle_onc_reply(struct whittle_onc_request *request);
/* Storage of malloc's, for the `in` of a request: arguments that a server's function may replace are not borrowed. */
void *whittle_onc_heap(struct whittle_xdr_in *in, size_t size, uint32_t count, void (*release)(void *item));
/* The results end at `at`; NULL: they could not be written, and the client gets a system error. To send no reply, call none of these. */
void whittle_onc_answer(struct whittle_onc_request *request, char *at);
void whittle_onc_unknown(struct whittle_onc_request *request);      /* no such procedure */
void whittle_onc_garbage(struct whittle_onc_request *request);      /* the arguments are not of their types */
/* What a server's function returned below 0: PROCEDURE_UNAVAILABLE, GARBAGE_ARGUMENTS, AUTH_…; all others are SYSTEM_ERROR. */
void whittle_onc_refuse(struct whittle_onc_request *request, int status);
#ifdef __cplusplus
}
#endif
#endif
