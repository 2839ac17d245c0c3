/* SPDX-License-Identifier: MIT-0 */
/*
 * What generated stubs and skeletons call: a request is begun, its parameters are written behind `out`, it is sent, and what
 * came is read from `in`; a servant's request is read from `in` and answered behind `out`. Whose message it is, which
 * connection carries it and which version of GIOP it has is the ORB's matter. Source: CORBA 3.3 part 2, chapter 9.
 */
#ifndef WHITTLE_CORBA_GIOP_H
#define WHITTLE_CORBA_GIOP_H
#include "orb.h"
#include "marshal.h"
#include "poa.h"
#include "sending.h"
#include "../../net/call.h"
#include "../../net/version.h"
#include "account.h"
#include <whittle/cdr_in.h>
#include <whittle/cdr_out.h>
#include <whittle/cdr_value_in.h>

#ifdef __cplusplus
extern "C" {
#endif

struct whittle_net_pool;
struct whittle_connection;              /* to a server */
struct whittle_net_connection;          /* from a client */

enum whittle_answer {
    WHITTLE_ANSWER_FAILED,      /* the environment says why */
    WHITTLE_ANSWER_AGAIN,       /* begin and marshal it again: the object is elsewhere, or the connection had been closed in order */
    WHITTLE_ANSWER_RESULT,
    WHITTLE_ANSWER_EXCEPTION,   /* a user exception, whose members follow `call.exception` */
    WHITTLE_ANSWER_NONE         /* sent; nothing comes back */
};

/* Bytes of a request that stay where the caller has them: they stand at this place of the message, as its buffer has it. */
struct whittle_lent {
    size_t place;
    const char *bytes;
    size_t size;
};
enum { WHITTLE_LENT = 4 };

/* One request of a client. Generated code reads the first five members; all else is the ORB's. */
struct whittle_call {
    struct whittle_cdr_out out;
    struct whittle_cdr_in in;
    const char *at;             /* the result, or the members of the exception */
    bool swapped;               /* the answer is in the other byte order */
    const char *exception;      /* its repository id, in the message */

    CORBA_Object object;        /* where the request goes: the reference, or what it was forwarded to */
    struct whittle_connection *connection;
    struct whittle_net_pool *pool;          /* of the request's buffer, and of the reply's */
    struct whittle_net_pool *replies;
    struct whittle_net_buffer *buffer;
    struct whittle_net_call net;
    struct whittle_lent pieces[WHITTLE_LENT];
    uint32_t piece_count, referred;         /* their bytes */
    const char *body;           /* where the parameters begin, and where the header ended before them */
    const char *header_end;
    struct whittle_account account;         /* what the reply's values may take */
    uint8_t version;            /* the minor version of GIOP */
    uint8_t tries;              /* how often this request was begun */
    uint8_t hops;               /* how often it was sent on */
    bool waits, local, locates;
    CORBA_Environment before;   /* what was raised before: parameters may lie in it */
};

/* Before the first whittle_call_begin: struct whittle_call call = WHITTLE_NEW_CALL; */
#ifdef __cplusplus
#define WHITTLE_NEW_CALL {}
#else
#define WHITTLE_NEW_CALL { .tries = 0 }
#endif

/*
 * Where the parameters of a request to `object` go, always at a position that is a multiple of eight; NULL: `ev` says why there is
 * no way to send it. What `ev` held before is none of this call's, and is released at its end. `size` counts the NUL of `operation`.
 * A request that does not wait is a one-way.
 */
char *whittle_call_begin(struct whittle_call *call, CORBA_Object object, const char *operation, uint32_t size, bool waits,
                         CORBA_Environment *ev);
/* Sends what ends at `at`, and waits for the reply. `at` NULL: MARSHAL, COMPLETED_NO, unless whittle_call_begin has failed. */
enum whittle_answer whittle_call_send(struct whittle_call *call, char *at, CORBA_Environment *ev);
/* After decoding: `at` NULL means that the reply made no sense: MARSHAL, COMPLETED_YES, unless `ev` holds a user exception. */
void whittle_call_unmarshalled(struct whittle_call *call, const char *at, CORBA_Environment *ev);
/* The exception of the reply is none that the operation may raise: UNKNOWN, COMPLETED_YES. */
void whittle_call_unknown(struct whittle_call *call, CORBA_Environment *ev);
/* Gives back what the call held, whatever became of it. */
void whittle_call_end(struct whittle_call *call);

/* One request at a server. Generated code reads the members to `out`. */
struct whittle_request {
    const char *operation;      /* ends with NUL, zeros up to the next multiple of eight bytes, which can be read */
    uint32_t operation_length;  /* with its NUL */
    bool waits;                 /* somebody waits for the reply; without, the functions below do nothing */
    bool swapped;
    struct whittle_cdr_in in;
    const char *at;
    struct whittle_cdr_out out;

    struct whittle_net_message message;
    struct whittle_net_output output;       /* the reply, while it is written */
    struct whittle_net_connection *connection;  /* NULL: the caller is in this process, and this is its call */
    struct whittle_call *here;
    CORBA_ORB orb;
    CORBA_Object adapter;
    const char *key, *object_id;
    uint32_t key_length, object_id_length;
    uint32_t id;
    uint8_t version;
    bool answered, locating;
    bool too_large;                         /* its parameters take more than they may, or than there is */
    struct whittle_net_arena arena;         /* storage for parameters */
    struct whittle_account account;         /* and what they take beside it */
    struct whittle_later *later;
    struct whittle_request *outer;          /* what this thread was serving when this one came */
    struct whittle_request *before;         /* and what it had begun to look at */
    uint64_t name[32];                      /* of the operation, where it is short */
};

/* An interface as a servant implements it: servant->_private points to one. */
struct whittle_interface {
    const char *repository_id;
    const char *const *ancestors;           /* repository ids of all it is, its own first; NULL at the end */
    void (*dispatch)(PortableServer_Servant servant, struct whittle_request *request);
};

/* The parameters made no sense: MARSHAL, COMPLETED_NO. */
void whittle_request_marshal(struct whittle_request *request);
/* The interface has no such operation: BAD_OPERATION, COMPLETED_NO. */
void whittle_request_unknown(struct whittle_request *request);
/* The servant has no function for it: NO_IMPLEMENT, COMPLETED_NO. */
void whittle_request_unimplemented(struct whittle_request *request);
/* Where the result, or the repository id and members of an exception, go; `answer` is RESULT or EXCEPTION. NULL: nobody waits. */
char *whittle_reply_begin(struct whittle_request *request, enum whittle_answer answer);
/* Sends the reply that ends at `at`; NULL: MARSHAL, COMPLETED_YES is replied instead. */
void whittle_reply_end(struct whittle_request *request, char *at);
/* Replies with the system exception in `ev`, UNKNOWN where it is none; `ev` is not freed. */
void whittle_reply_system(struct whittle_request *request, CORBA_Environment *ev);
/* A string of `size` bytes, its NUL among them: the repository id of an exception. NULL stays NULL. */
char *whittle_reply_id(struct whittle_request *request, char *at, const char *repository_id, uint32_t size);
#ifdef __cplusplus
}
#endif
#endif
