/* SPDX-License-Identifier: MIT-0 */
/* What the parts of <rpc/…> share, whatever carries their messages: streams, and failures in words. */
#ifndef WHITTLE_RPC_SHARED_H
#define WHITTLE_RPC_SHARED_H
#ifndef WHITTLE_RPC
#include <rpc/rpc.h>
#endif
#ifndef WHITTLE_RPC
#error "another library's <rpc/rpc.h> was found: put the folder that holds whittle's first, with -I"
#endif
#include <whittle/xdr_out.h>

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

/* clnt_errors.c */
void whittle_rpc_not_created(enum clnt_stat status, const struct rpc_err *error);
/* What carries the messages says: why a caller was refused. */
const char *whittle_rpc_auth_text(enum auth_stat why);
#endif
