/* SPDX-License-Identifier: MIT-0 */
/* What servers' parts share. */
#ifndef WHITTLE_RPC_SVC_INNER_H
#define WHITTLE_RPC_SVC_INNER_H
#include "rpc_inner.h"

struct whittle_rpc_program {
    struct whittle_onc_program known;
    void (*dispatch)(struct svc_req *, SVCXPRT *);
    size_t usual;                       /* bytes of results */
    struct whittle_rpc_program *next;
};

/* Of a place to listen at; or of a call that is served, on its stack. */
struct whittle_rpc_transport {
    SVCXPRT base;
    struct whittle_net_name name;
    struct whittle_rpc_program *program;    /* NULL: no call */
    struct whittle_onc_request *request;
};

const char *whittle_rpc_network_of(const struct whittle_net_listener *listener);
/* svc.c: the server, where there is one; and after it was stopped its end. */
struct whittle_onc_server *whittle_rpc_server_now(void);
void whittle_rpc_server_end(void);
/* svc_select.c: what loops of programs wait for; false: no memory. */
bool whittle_rpc_watch(int fd);
void whittle_rpc_unwatch(int fd);
void whittle_rpc_unwatch_all(void);
/* One thread at a time serves; false: somebody does. */
bool whittle_rpc_begin_serving(void);
void whittle_rpc_end_serving(void);
/* svc.c: those that nobody serves a call of any more. */
void whittle_rpc_forgotten_free(void);
/* svc_call.c */
void whittle_rpc_dispatch(const void *operations, void *context, struct whittle_onc_request *request);
#endif
