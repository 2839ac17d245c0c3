/* SPDX-License-Identifier: MIT-0 */
/*
 * What both sides share. A request's bytes are three words, the numbers of the program, its version and the procedure, and the
 * arguments; a reply's are a word that says what became of it, as RFC 5531's `accept_stat`, and the results or what the word needs.
 * All in XDR. The message itself is that of the link `mach`, with one number for all.
 */
#ifndef WHITTLE_MACH_RPC_PARTS_H
#define WHITTLE_MACH_RPC_PARTS_H
#include "rpc_shared.h"
#include "mach_rpc.h"
#include "server.h"

#define WHITTLE_RPC_MACH_ID 0x72706300u         /* "rpc" */
#define WHITTLE_RPC_MACH_HEAD 12u

/* What became of a request (RFC 5531, section 9); AUTH is ours: the caller was refused, and the next word says why. */
enum { WHITTLE_RPC_DONE, WHITTLE_RPC_NO_PROGRAM, WHITTLE_RPC_NO_VERSION, WHITTLE_RPC_NO_PROCEDURE, WHITTLE_RPC_GARBAGE, WHITTLE_RPC_FAILED, WHITTLE_RPC_AUTH };

/* mach_stream.c: words, and a value, at the end of a message that is being written; NULL: they cannot be. */
char *whittle_rpc_mach_words(struct whittle_cdr_out *out, char *at, const uint32_t *words, size_t count);
char *whittle_rpc_mach_value(struct whittle_cdr_out *out, char *at, xdrproc_t routine, void *value, size_t *usual);
/* Word `index` of those that begin at `at`. */
uint32_t whittle_rpc_mach_word(const char *at, size_t index);

/* Calls that wait equally long have a client of the link's, which lives as long as the one that they are calls of. */
struct whittle_rpc_patience {
    struct whittle_mach_client *client;
    uint32_t span;                      /* in milliseconds */
    struct whittle_rpc_patience *next;
};
#define WHITTLE_RPC_PATIENCE 25000u     /* what rpcgen's stubs wait */

struct whittle_rpc_client {
    CLIENT base;
    struct whittle_rpc_patience *patiences;     /* at least one */
    mach_port_t port;
    mach_port_t found;                  /* the client's own right; null: the port is the program's */
    uint32_t program, version;
    size_t usual;                       /* bytes of arguments: a guess */
    bool has_patience;
    struct timeval patience;            /* instead of what calls say */
    uint32_t status, detail[2];         /* of the last call, each by itself */
};
/* mach_clnt.c: what makes calls of this patience, in milliseconds. */
struct whittle_mach_client *whittle_rpc_client_within(struct whittle_rpc_client *own, uint32_t span);

struct whittle_rpc_program {
    uint32_t program, version;
    void (*dispatch)(struct svc_req *, SVCXPRT *);
    size_t usual;                       /* bytes of results */
    struct whittle_rpc_program *next;
};

/* Of a place to serve at; or of a call that is served, on its stack. */
struct whittle_rpc_transport {
    SVCXPRT base;
    mach_port_t port;
    struct whittle_rpc_program *program;
    struct whittle_mach_request *request;   /* NULL: no call */
    bool is_answered;
};

static inline struct whittle_rpc_transport *whittle_rpc_own(const SVCXPRT *transport)
{
    return (struct whittle_rpc_transport *)(uintptr_t)transport;
}
#endif
