/* SPDX-License-Identifier: MIT-0 */
/* What the parts of <rpc/…> share: each is a few lines over the run time of ONC RPC. */
#ifndef WHITTLE_RPC_INNER_H
#define WHITTLE_RPC_INNER_H
#ifndef WHITTLE_RPC
#include <rpc/rpc.h>
#endif
#ifndef WHITTLE_RPC
#error "another library's <rpc/rpc.h> was found: put the folder that holds whittle's first, with -I"
#endif
#include "client.h"
#include "server.h"
#include "rpcbind.h"

/* A routine as it is called. */
typedef bool_t (*whittle_rpc_routine)(XDR *, void *);

static inline bool_t whittle_rpc_apply(xdrproc_t routine, XDR *xdrs, void *value)
{
    return ((whittle_rpc_routine)(void (*)(void))routine)(xdrs, value);
}

/* xdr_memory.c: words of any stream, by its bytes; and what only writes. */
bool_t whittle_rpc_getlong(XDR *xdrs, long *word);
bool_t whittle_rpc_putlong(XDR *xdrs, const long *word);
bool_t whittle_rpc_no_getbytes(XDR *xdrs, char *to, u_int size);

/* xdr_message.c: a value at the end of a message that is being written; NULL: it cannot be. `usual` is how long such messages
   have been, so that the next one finds room; NULL: they are no measure. */
char *whittle_rpc_write(struct whittle_xdr_out *out, char *at, xdrproc_t routine, void *value, size_t *usual);
/* Who counts what decoded values take; false: it would be too much. */
struct whittle_rpc_account {
    bool (*take)(void *whose, size_t size);
    void *whose;
};
/* A value that lies in memory, and ends in it. */
bool whittle_rpc_read(const char *at, const char *end, const struct whittle_rpc_account *account, xdrproc_t routine, void *value);

/* auth.c: what a client's calls say of who calls; and which of all that were ever made it is: 0, AUTH_NONE. */
void whittle_rpc_identify(const AUTH *auth, struct whittle_onc_client_options *options);
uint64_t whittle_rpc_auth_number(const AUTH *auth);
/* clnt_errors.c: a status as these headers number it. */
void whittle_rpc_explain(int status, const struct whittle_onc_client *client, struct rpc_err *error);
void whittle_rpc_not_created(enum clnt_stat status, const struct rpc_err *error);
/* pmap.c: rpcbind of this machine is told, or made forget. */
bool whittle_rpc_tell(uint32_t program, uint32_t version, const char *network, int port, bool on);

/* A client, behind its public part. */
struct whittle_rpc_client {
    CLIENT base;
    struct whittle_onc_client *client;
    uint32_t program, version;
    uint64_t auth;                  /* whom the head of its calls tells */
    size_t usual;                   /* bytes of arguments; without a lock: a guess */
    int theirs;                     /* the user's socket, of which ours is a copy; -1: there is none */
    bool ends_theirs;
    bool has_patience;
    struct timeval patience;        /* instead of what calls say */
    pthread_mutex_t lock;           /* of what follows */
    struct rpc_err error;
    struct sockaddr_storage peer;
    struct netbuf peer_buffer;
};
/* clnt.c: a client at an address; `socket` is the user's, -1: one is made. NULL: rpc_createerr says why. */
CLIENT *whittle_rpc_client_at(const char *address, uint32_t program, uint32_t version, const struct whittle_onc_client_options *options,
                              int socket);
/* Where a program is called through shared memory if nobody names another place: `shm:rpc-NUMBER`. */
void whittle_rpc_near_name(uint32_t program, char *address, size_t room);
/* A socket's address as the run time writes it; malloc's. */
char *whittle_rpc_address(const char *scheme, const struct sockaddr *name, socklen_t size);
#endif
