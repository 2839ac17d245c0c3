/* SPDX-License-Identifier: MIT-0 */
/*
 * rpcgen's style over Mach's ports: what programs use beside <rpc/…>. A server has a port, whoever has a right to send to it calls the
 * programs that it serves, and `clnt_create` and `svc_create` know the network "mach". There are no sockets: functions of <rpc/…> that need
 * one, or say who calls by AUTH_SYS, are not there. Needs Mach's own calls and malloc.
 */
#ifndef WHITTLE_MACH_RPC_H
#define WHITTLE_MACH_RPC_H
#ifndef WHITTLE_RPC
#include <rpc/rpc.h>
#endif
#include "ports.h"
#ifdef __cplusplus
extern "C" {
#endif

/* `server` is a right to send, and stays the caller's. */
CLIENT *clntmach_create(mach_port_t server, rpcprog_t program, rpcvers_t version);
/* A place to serve at: `port`, to which the caller has the right to receive, or with MACH_PORT_NULL one of its own. Then svc_register, protocol 0. */
SVCXPRT *svcmach_create(mach_port_t port);
/* Its port: rights to send are made of it. */
mach_port_t svcmach_port(const SVCXPRT *transport);

/*
 * Who knows ports by names: functions of the program's, for `clnt_create(host, …, "mach")` and `svc_create(…, "mach")`, which fail without.
 * The first returns a right to send, which the client releases when it is destroyed, or MACH_PORT_NULL: nobody serves that. The second
 * makes a server's port known, which has the right to receive; false: it cannot.
 */
mach_port_t rpc_mach_find(const char *host, rpcprog_t program, rpcvers_t version) __attribute__((weak));
bool rpc_mach_offer(mach_port_t port, rpcprog_t program, rpcvers_t version) __attribute__((weak));
#ifdef __cplusplus
}
#endif
#endif
