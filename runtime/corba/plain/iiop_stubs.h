/* SPDX-License-Identifier: MIT-0 */
/* What generated code of the plain style and the run time do for each other, beside what the ORB has for stubs. */
#ifndef WHITTLE_IIOP_STUBS_H
#define WHITTLE_IIOP_STUBS_H
#include "iiop.h"
#include "giop.h"
#ifdef __cplusplus
extern "C" {
#endif

/* One call, on its caller's stack. */
struct whittle_iiop_call {
    struct whittle_call giop;
    struct whittle_iiop_client *client;
    CORBA_Environment ev;
    struct whittle_iiop_reply *lent;    /* what results lie in that are not to be copied */
};

/*
 * A call is opened, begun, its arguments written, sent, its results read, ended. Whatever fails on the way, it goes on: each step takes
 * NULL for what the one before it could not give, and the end says what became of it.
 */
void whittle_iiop_open(struct whittle_iiop_call *call, struct whittle_iiop_client *client);
/* Where the arguments go; NULL: there is no way to send them. `size` counts the NUL of `operation`. */
char *whittle_iiop_begin(struct whittle_iiop_call *call, const char *operation, uint32_t size, bool waits);
/* Sends what ends at `at`, and waits. AGAIN: to be begun and written once more. What results hold is malloc's. */
enum whittle_answer whittle_iiop_send(struct whittle_iiop_call *call, char *at);
/* The exception is none that the operation raises. */
void whittle_iiop_unexpected(struct whittle_iiop_call *call);
/* The results will stay in the message, and in storage beside it. false: no memory. */
bool whittle_iiop_lend(struct whittle_iiop_call *call);
/* `at` is behind the results, NULL: they could not be read, or the call failed before. What is left of the call is given up. */
int whittle_iiop_end(struct whittle_iiop_call *call, const char *at, int raised);
/* The same end for lent ones: `reply` holds what they lie in, and is NULL where there are none. */
int whittle_iiop_end_lent(struct whittle_iiop_call *call, const char *at, struct whittle_iiop_reply **reply);
/* The end of one that waits for nothing. */
int whittle_iiop_posted(struct whittle_iiop_call *call);

/* An object that is served, as its interface's dispatch sees it. */
struct whittle_iiop_object {
    const void *operations;
    void *context;
    /* The run time's: */
    struct whittle_iiop_object *next, *next_of_hash;
    const struct whittle_interface *interface;
    char *key, *reference;
    uint32_t key_length;
};
int whittle_iiop_serve(struct whittle_iiop_server *server, const struct whittle_interface *interface, const char *name, const void *operations,
                       void *context);
/* References to objects, which are texts in C; NULL is nil. */
char *whittle_cdr_out_reference(struct whittle_cdr_out *out, char *at, char *const *value);
const char *whittle_cdr_in_reference(struct whittle_cdr_in *in, const char *at, char **value, bool swapped);
void whittle_release_reference(char **value);
/* Storage of malloc's, for `in`: arguments that a server's function may replace are not borrowed. */
void *whittle_iiop_heap(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *item));
/* Before a server's function runs: what it says of a failure is of this call. */
void whittle_iiop_call_begins(void);
/* What it returned that is neither 0 nor an exception's number. */
void whittle_iiop_refuse(struct whittle_request *request, int status);
#ifdef __cplusplus
}
#endif
#endif
