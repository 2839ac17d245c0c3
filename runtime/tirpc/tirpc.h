/* SPDX-License-Identifier: MIT-0 */
/*
 * Calls over libtirpc's CLIENT and SVCXPRT: what programs use beside that library and the functions that are generated for their
 * interfaces. Clients come from clnt_create and its kin, for one version of one program; transports from svc_tcp_create and its kin.
 */
#ifndef WHITTLE_TIRPC_H
#define WHITTLE_TIRPC_H
#include <rpc/rpc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "text.h"
#ifdef __cplusplus
extern "C" {
#endif

/* A status: 0, or an `enum clnt_stat` below 0, such as -RPC_TIMEDOUT. As a string; static storage. */
const char *whittle_tirpc_text(int status);

/* The message that holds the results of one call, for interfaces that are presented with `lent` results: they are valid until it is freed. */
struct whittle_tirpc_reply;
void whittle_tirpc_reply_free(struct whittle_tirpc_reply *reply);

/*
 * What libtirpc calls for each program that X_serve serves. X_serve registers it with the transport it is given, but not with rpcbind: that
 * is done by svc_register(transport, X_PROGRAM, X_VERSION, whittle_tirpc_dispatch, IPPROTO_TCP), or by svc_create, which makes the transports
 * as well; then X_serve is given NULL.
 */
void whittle_tirpc_dispatch(struct svc_req *request, SVCXPRT *transport);
/* The request whose function this thread executes; NULL: none. */
const struct svc_req *whittle_tirpc_caller(void);
#ifdef __cplusplus
}
#endif
#endif
