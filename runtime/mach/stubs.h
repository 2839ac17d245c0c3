/* SPDX-License-Identifier: MIT-0 */
/* What generated code and the run time do for each other. Arguments and results are CDR in the machine's byte order. */
#ifndef WHITTLE_MACH_STUBS_H
#define WHITTLE_MACH_STUBS_H
#include "ports.h"
#include "version.h"
#include <whittle/cdr_out.h>
#include <whittle/later.h>
#include <whittle/cdr_in.h>
#include <whittle/arena.h>
#ifdef __cplusplus
extern "C" {
#endif

struct whittle_mach_buffer;
struct whittle_mach_loop;

#define WHITTLE_MACH_FIRST (4096 + 256)        /* bytes of a message that lie on the caller's stack */

/* Rights to send, beside the bytes of messages. */
struct whittle_mach_rights {
    mach_port_t *sent;                          /* to go with the message that is written */
    uint32_t count, room;
    bool are_moved;                             /* and are its own already */
    char *received;                                 /* names that the other message brought; null where one was taken */
    uint32_t received_count, each;                  /* bytes from one to the next */
    void *out_of_line;                               /* the memory that they lie in */
};
/* Those that are `moved` are the message's own, the others stay their owner's until it is sent. */
void whittle_mach_rights_begin(struct whittle_mach_rights *rights, bool are_moved);

/* One call, on its caller's stack; whittle_mach_begin sets what is looked at. */
struct whittle_mach_call {
    struct whittle_cdr_out out;                 /* the arguments */
    struct whittle_cdr_in in;                   /* the results; what they hold is malloc's */
    const char *at;                             /* where they begin */
    /* The run time's: */
    struct whittle_mach_client *client;
    char *message;                              /* in `first`, or in the buffer */
    struct whittle_mach_buffer *buffer;
    void *out_of_line;                               /* the memory of a reply's bytes that are out of line */
    size_t room;                                /* of the message */
    size_t out_of_line_size;
    size_t decoded;                             /* bytes that the results may still take */
    struct whittle_mach_reply *lent;            /* what results lie in that are not to be copied */
    struct whittle_mach_rights *rights;         /* of both messages; NULL: they may carry none */
    uint32_t id;
    int status;
    char first[WHITTLE_MACH_FIRST] __attribute__((aligned(8)));
};

/*
 * A call is begun, its arguments written, sent, received, its results read, ended. Whatever fails on the way, it goes on: each step
 * takes NULL for what the one before it could not give, and the end says what became of it.
 */
/* Where the arguments go. */
char *whittle_mach_begin(struct whittle_mach_call *call, struct whittle_mach_client *client, uint32_t id);
/* Sends what ends at `at`, and waits. 0: the results lie from call->at to call->in.end, and may be borrowed until the end. */
int whittle_mach_exchange(struct whittle_mach_call *call, char *at);
/* Sends what ends at `at`, waits for a reply without results, and ends the call. */
int whittle_mach_command(struct whittle_mach_call *call, char *at);
/* Sends, expects no reply, and ends the call. */
int whittle_mach_post(struct whittle_mach_call *call, char *at);
/* `at` is behind the results, NULL: they could not be read, or the call failed before. Returns its status. */
int whittle_mach_end(struct whittle_mach_call *call, const char *at);
/* The results will stay in the message, and in storage beside it. false: no memory. */
bool whittle_mach_lend(struct whittle_mach_call *call);
/* The same end for these: `reply` holds what they lie in, and is NULL where there are none. */
int whittle_mach_end_lent(struct whittle_mach_call *call, const char *at, struct whittle_mach_reply **reply);

/* A call that is being served. */
struct whittle_mach_request {
    struct whittle_cdr_in in;                   /* the arguments, to be borrowed; what they hold is released behind the dispatch */
    const char *at;                             /* where they begin */
    struct whittle_cdr_out out;                 /* the results, behind whittle_mach_reply */
    uint32_t id;
    /* The run time's: */
    struct whittle_mach_loop *loop;
    struct whittle_mach_rights *rights;         /* of both messages; NULL: they may carry none */
    struct whittle_mach_deferred *later;           /* what is released behind the dispatch */
    size_t decoded;                             /* bytes that they may still take */
    uint32_t room;                              /* of the caller, for the reply's message */
};

/* An interface: what serves its operations; `operations` and `context` are what whittle_mach_serve was given. */
struct whittle_mach_interface {
    void (*dispatch)(const void *operations, void *context, struct whittle_mach_request *request);
    bool carries_rights;                        /* its messages may */
};
/* Before the server runs. NO_MEMORY, KERNEL, or 0. */
int whittle_mach_serve(struct whittle_mach_server *server, const struct whittle_mach_interface *interface, const void *operations, void *context);
/* Where the results go; NULL: no memory. */
char *whittle_mach_reply(struct whittle_mach_request *request);
/* Storage of malloc's, for the `in` of a request: arguments that a server's function may replace are not borrowed. */
void *whittle_mach_heap(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *item));
/* They end at `at`; NULL: they could not be written, and the caller gets a system error. Who waits for nothing gets nothing. */
void whittle_mach_answer(struct whittle_mach_request *request, char *at);
/* The same of a call without results. */
void whittle_mach_acknowledge(struct whittle_mach_request *request);
void whittle_mach_unknown(struct whittle_mach_request *request);    /* no such operation */
void whittle_mach_garbage(struct whittle_mach_request *request);    /* the arguments are not of their types */
/* What a server's function returned below 0: OPERATION_UNAVAILABLE, GARBAGE_ARGUMENTS; all others are SYSTEM_ERROR. */
void whittle_mach_refuse(struct whittle_mach_request *request, int status);
#ifdef __cplusplus
}
#endif
#endif
