/* SPDX-License-Identifier: MIT-0 */
/*
 * GIOP over the network run time: what cuts bytes into messages at either end, and a client's connection, which all references to
 * objects at the same endpoint share.
 */
#ifndef WHITTLE_CORBA_CONNECTION_H
#define WHITTLE_CORBA_CONNECTION_H
#include "../../net/whittle_net.h"
#include "object.h"

/* framing.c. Room before the first message of a buffer: fragment.c writes there. */
enum { WHITTLE_GIOP_LEAD = 64 };
enum whittle_net_got whittle_giop_next(struct whittle_net_reader *reader, struct whittle_net_message *message);
/* fragment.c. Takes over a message that is one of several: the whole one where it was the last. */
enum whittle_net_got whittle_giop_fragment(struct whittle_net_reader *reader, struct whittle_net_message *message);
void whittle_giop_forget(struct whittle_net_reader *reader);
/* The rest of this message is not wanted any more. */
void whittle_giop_cancel(struct whittle_net_reader *reader, uint32_t id);

struct whittle_connection {
    struct whittle_net_client net;
    struct whittle_connection *next;    /* of the ORB's */
    CORBA_ORB orb;
    struct whittle_endpoint endpoint;
    uint32_t refs;
    uint32_t calls;                     /* that have it, from their beginning to their end */
    uint32_t next_id;
    bool used;                          /* a reply has come over it */
    bool codes_sent;                    /* the server knows the code sets of strings */
    uint64_t called;                    /* when it was used last */
};
WHITTLE_INLINE struct whittle_connection *whittle_connection_of(struct whittle_net_client *client)
{
    return (struct whittle_connection *)(void *)client;
}

/* client.c: an open connection to an endpoint of the profile, made where there is none. NULL: `ev` says why. */
struct whittle_connection *whittle_client_connection(CORBA_ORB orb, struct whittle_profile *profile, uint64_t deadline, CORBA_Environment *ev);
void whittle_connection_keep(struct whittle_connection *connection);
void whittle_connection_drop(struct whittle_connection *connection);
WHITTLE_INLINE bool whittle_connection_is_open(const struct whittle_connection *connection)
{
    return __atomic_load_n(&connection->net.open, __ATOMIC_ACQUIRE);
}
/* It is not open any more: nobody is to find it. */
void whittle_client_forget(struct whittle_connection *connection);
void whittle_client_close_all(CORBA_ORB orb);

/* replies.c: what a client's connection does with what comes. */
extern const struct whittle_net_client_protocol whittle_giop_client;
/* send.c: whole, or in fragments of at most `fragment` bytes (0: whole); with `writing` held. A failure, or 0. */
int whittle_send_message(struct whittle_connection *connection, struct whittle_net_call *call, const struct whittle_net_limits *limits,
                         char *base, char *end, size_t fragment);
/* The same message as the bytes that go out: where they end in `to`, which has room. */
size_t whittle_fragmented_size(size_t total, size_t fragment);
void whittle_fragmented_write(char *to, char *base, char *end, size_t fragment);
#endif
