/* SPDX-License-Identifier: MIT-0 */
/* What rpcbind knows (RFC 1833): ports of programs. */
#ifndef WHITTLE_RPC_PMAP_CLNT_H
#define WHITTLE_RPC_PMAP_CLNT_H
#include "clnt.h"
#ifdef __cplusplus
extern "C" {
#endif
#define PMAPPORT 111
bool_t pmap_set(u_long program, u_long version, int protocol, int port);
bool_t pmap_unset(u_long program, u_long version);
/* 0: there is none, and rpc_createerr says why. */
u_short pmap_getport(struct sockaddr_in *address, u_long program, u_long version, u_int protocol);
#ifdef __cplusplus
}
#endif
#endif
