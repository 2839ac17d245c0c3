/* SPDX-License-Identifier: MIT-0 */
/* What the parts of <rpc/…> share that are a few lines over the run time of ONC RPC. */
#ifndef WHITTLE_RPC_INNER_H
#define WHITTLE_RPC_INNER_H
#include "rpc_shared.h"
#include "client.h"
#include "server.h"
#include "rpcbind.h"

/* auth.c: what a client's calls say of who calls; and which of all that were ever made it is: 0, AUTH_NONE. */
void whittle_rpc_identify(const AUTH *auth, struct whittle_onc_client_options *options);
uint64_t whittle_rpc_auth_number(const AUTH *auth);
/* clnt_status.c: a status as these headers number it. */
void whittle_rpc_explain(int status, const struct whittle_onc_client *client, struct rpc_err *error);
/* pmap.c: registers with rpcbind of this machine, or takes that back. */
bool whittle_rpc_bind(uint32_t program, uint32_t version, const char *network, int port, bool on);

/* A client, behind its public part. */
struct whittle_rpc_client {
    CLIENT base;
    struct whittle_onc_client *client;
    uint32_t program, version;
    uint64_t auth;                  /* whom the head of its calls names */
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
void whittle_rpc_local_name(uint32_t program, char *address, size_t room);
/* A socket's address as the run time writes it; malloc's. */
char *whittle_rpc_address(const char *scheme, const struct sockaddr *name, socklen_t size);
#endif
