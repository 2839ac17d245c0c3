/* SPDX-License-Identifier: MIT-0 */
/* A server of ONC RPC: programs over connections (runtime/net) and datagrams. */
#ifndef WHITTLE_ONC_SERVER_H
#define WHITTLE_ONC_SERVER_H
#include "wire.h"

struct whittle_onc_service {
    const struct whittle_onc_program *program;
    const void *operations;
    void *context;
};

struct whittle_onc_server {
    struct whittle_net_server net;
    struct whittle_onc_server_options options;
    struct whittle_onc_service *services;
    size_t service_count;
    struct whittle_onc_duplicates *duplicates;
    bool registered;
};

/* register.c: what was registered with rpcbind is taken back. */
void whittle_onc_unregister(struct whittle_onc_server *server);
/* For a loop of the program's own, which waits for the poller to be readable: what has happened is seen to, without waiting; and, when
   it was stopped, as running ends. One thread at a time. */
void whittle_onc_server_look(struct whittle_onc_server *server);
void whittle_onc_server_finish(struct whittle_onc_server *server);
/* serve.c: a message from a client; false: it is no call at all. */
bool whittle_onc_serve_message(struct whittle_onc_server *server, struct whittle_net_connection *connection, const void *datagram,
                               struct whittle_net_message *message);
/* The same, but that it is refused for want of memory. */
void whittle_onc_refuse_message(struct whittle_net_server *server, struct whittle_net_connection *connection, struct whittle_net_message *message);
/* caller.c: whether the call is served: 0, or why not. */
uint32_t whittle_onc_check_caller(struct whittle_onc_request *request);
void whittle_onc_caller_address(struct whittle_onc_request *request);
/* refuse.c */
void whittle_onc_refuse_caller(struct whittle_onc_request *request, uint32_t reason);
void whittle_onc_refuse_versions(struct whittle_onc_request *request, bool program, uint32_t lowest, uint32_t highest);
/* reply.c: room for a reply; where its message begins, behind the mark. */
char *whittle_onc_reply_room(struct whittle_onc_request *request);
void whittle_onc_reply_done(struct whittle_onc_request *request, char *at);
/* Storage of the arguments, for `in`. */
void *whittle_onc_arena(struct whittle_xdr_in *in, size_t size, uint32_t count, void (*release)(void *item));
/* datagrams.c */
void whittle_onc_datagram_ready(struct whittle_net_source *source, uint32_t events);
void whittle_onc_datagram_answer(struct whittle_onc_request *request, const char *base, size_t size);
#endif
