/* SPDX-License-Identifier: MIT-0 */
/* A server: its objects, and the loop of each thread that serves them. */
#ifndef WHITTLE_MACH_SERVER_H
#define WHITTLE_MACH_SERVER_H
#include "message.h"

struct whittle_mach_object {
    mach_port_t port;
    bool is_given;                              /* the program's own port */
    const struct whittle_mach_interface *interface;
    const void *operations;
    void *context;
};

struct whittle_mach_server {
    struct whittle_mach_server_options options;
    mach_port_t set, control;                   /* all ports; the one that a stop is sent to */
    mach_port_t next;                           /* given for the next object */
    struct whittle_mach_object *objects;
    size_t count;
    bool stops;
};

/* A thread that serves: what it received, and what it replies. Both have room for any request. */
struct whittle_mach_loop {
    struct whittle_mach_server *server;
    struct whittle_mach_buffer *request, *reply;
    mach_msg_size_t size;                       /* of the reply that is to be sent; 0: none */
    struct whittle_arena arena;                 /* storage of the arguments, empty between requests */
    char first[4096] __attribute__((aligned(16)));  /* of it */
};

/* The refusal that a reply is, as a status. */
int whittle_mach_refused(const char *message);
mach_msg_type_t whittle_mach_status_type(void);
/* Storage of arguments that are borrowed. */
void *whittle_mach_allocate_arguments(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *item));

/* An argument that is released by itself. */
struct whittle_mach_deferred {
    struct whittle_mach_deferred *next;
    void *item;
    void (*release)(void *item);
};

/* What makes room for a request. */
char *whittle_mach_grow(struct whittle_cdr_out *out, char *at, size_t more);
const struct whittle_mach_client_options *whittle_mach_client_options(const struct whittle_mach_client *client);

/* Whether the caller waits for a reply that was not written yet. */
WHITTLE_IN_PLACE bool whittle_mach_caller_waits(const struct whittle_mach_loop *loop)
{
    return ((const mach_msg_header_t *)(const void *)loop->request->message)->msgh_remote_port != MACH_PORT_NULL;
}

/* The loop's reply, of so many bytes, goes to the caller; its bits say whether it is complex. */
WHITTLE_IN_PLACE void whittle_mach_address_reply(struct whittle_mach_request *request, mach_msg_size_t size)
{
    struct whittle_mach_loop *const loop = request->loop;
    mach_msg_header_t *const asked = (mach_msg_header_t *)(void *)loop->request->message;
    mach_msg_header_t *const reply = (mach_msg_header_t *)(void *)loop->reply->message;
    const mach_port_t caller = asked->msgh_remote_port;
    const mach_msg_id_t id = whittle_mach_reply_id(request->id);
    asked->msgh_remote_port = MACH_PORT_NULL;
    loop->size = size;
    reply->msgh_bits |= MACH_MSGH_BITS(MACH_MSG_TYPE_MOVE_SEND_ONCE, 0);
    reply->msgh_size = size;
    reply->msgh_remote_port = caller;
    reply->msgh_local_port = MACH_PORT_NULL;
    reply->msgh_seqno = 0;
    reply->msgh_id = id;
}
#endif
