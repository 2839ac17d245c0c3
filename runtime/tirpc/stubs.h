/* SPDX-License-Identifier: MIT-0 */
/*
 * What generated code and the run time over libtirpc do for each other. Messages are marshalled in memory, as over ONC RPC without a
 * library; libtirpc's streams move them as they are.
 */
#ifndef WHITTLE_TIRPC_STUBS_H
#define WHITTLE_TIRPC_STUBS_H
#include "tirpc.h"
#include "version.h"
#include <whittle/xdr_out.h>
#include <whittle/later.h>
#include <whittle/xdr_in.h>
#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of a message that is received, and of the values that it becomes. */
#ifndef WHITTLE_TIRPC_LONGEST
#define WHITTLE_TIRPC_LONGEST 0x4000000
#endif
#ifndef WHITTLE_TIRPC_DECODED
#define WHITTLE_TIRPC_DECODED 0x10000000
#endif
enum { WHITTLE_TIRPC_FIRST = 1024 };

/* A message: in `first`, as long as it is short. */
struct whittle_tirpc_message {
    char *bytes;
    size_t size, room;
    char first[WHITTLE_TIRPC_FIRST];
};

/* Storage that is released at once. */
struct whittle_tirpc_arena {
    struct whittle_tirpc_block *blocks;
    size_t left;                                /* bytes that values may still take */
};

/* One call, on its caller's stack; whittle_tirpc_begin sets all of it. */
struct whittle_tirpc_call {
    struct whittle_xdr_out out;                 /* the arguments */
    struct whittle_xdr_in in;                   /* the results; what they hold is malloc's */
    const char *at;                             /* where they begin */
    /* The run time's: */
    CLIENT *client;
    uint32_t procedure;
    int status;
    struct whittle_tirpc_message sent, received;
    struct whittle_tirpc_arena arena;
};

/*
 * A call is begun, its arguments written, exchanged for results, these read, ended. Whatever fails on the way, it goes on: each step takes
 * NULL for what the one before it could not give, and the end says what became of it. A client of another program or version is not called.
 */
char *whittle_tirpc_begin(struct whittle_tirpc_call *call, CLIENT *client, uint32_t program, uint32_t version, uint32_t procedure);
int whittle_tirpc_exchange(struct whittle_tirpc_call *call, char *at);
/* In place of that: nobody waits for a reply. */
int whittle_tirpc_post(struct whittle_tirpc_call *call, char *at);
int whittle_tirpc_end(struct whittle_tirpc_call *call, const char *at);
/* The results will stay in the message. */
bool whittle_tirpc_lend(struct whittle_tirpc_call *call);
int whittle_tirpc_end_lent(struct whittle_tirpc_call *call, const char *at, struct whittle_tirpc_reply **reply);

/* A call that is being served. */
struct whittle_tirpc_request {
    struct whittle_xdr_in in;                   /* the arguments, to be borrowed; what they hold is released behind the dispatch */
    const char *at;                             /* where they begin */
    struct whittle_xdr_out out;                 /* the results */
    uint32_t procedure;
    /* The run time's: */
    SVCXPRT *transport;
    bool answered;
    struct whittle_tirpc_message received, sent;
    struct whittle_tirpc_arena arena;
};

/* A program, and what serves its procedures: `operations` and `context` are what whittle_tirpc_serve was given. */
struct whittle_tirpc_program {
    uint32_t program, version;
    void (*dispatch)(const void *operations, void *context, struct whittle_tirpc_request *request);
};
/* Before the transports are served. 0, or -RPC_SYSTEMERROR. */
int whittle_tirpc_serve(SVCXPRT *transport, const struct whittle_tirpc_program *program, const void *operations, void *context);
/* Where the results go. */
char *whittle_tirpc_reply(struct whittle_tirpc_request *request);
/* Storage of malloc's, for the `in` of a request: arguments that a server's function may replace are not borrowed. */
void *whittle_tirpc_heap(struct whittle_xdr_in *in, size_t size, uint32_t count, void (*release)(void *item));
/* The results end at `at`; NULL: they could not be written, and the client gets a system error. To send no reply, call none of these. */
void whittle_tirpc_answer(struct whittle_tirpc_request *request, char *at);
void whittle_tirpc_unknown(struct whittle_tirpc_request *request);      /* no such procedure */
void whittle_tirpc_garbage(struct whittle_tirpc_request *request);      /* the arguments are not of their types */
/* What a server's function returned below 0: -RPC_PROCUNAVAIL, -RPC_CANTDECODEARGS, -RPC_PROGUNAVAIL, -RPC_AUTHERROR; all others are system errors. */
void whittle_tirpc_refuse(struct whittle_tirpc_request *request, int status);

/* message.c. Charges the values of a message for storage elsewhere; false: they take more than they may. */
bool whittle_tirpc_charge(struct whittle_tirpc_arena *arena, size_t size, uint32_t count);
void *whittle_tirpc_stored(struct whittle_tirpc_arena *arena, size_t size, uint32_t count, bool zeroed);
void whittle_tirpc_arena_free(struct whittle_tirpc_arena *arena);
void whittle_tirpc_message_open(struct whittle_tirpc_message *message);
void whittle_tirpc_message_free(struct whittle_tirpc_message *message);
char *whittle_tirpc_message_grow(struct whittle_tirpc_message *message, struct whittle_xdr_out *out, char *at, size_t more);
/* A message as what libtirpc marshals: its bytes, and all bytes that there are. */
bool_t whittle_tirpc_put(XDR *stream, struct whittle_tirpc_message *message);
bool_t whittle_tirpc_gather(XDR *stream, struct whittle_tirpc_message *message);
#ifdef __cplusplus
}
#endif
#endif
