/* SPDX-License-Identifier: MIT-0 */
/*
 * A client's end. Its connection is shared by all threads: who waits for a reply and finds nobody reading reads, for all that
 * wait, until its own reply is there; then the next one does.
 */
#ifndef WHITTLE_ONC_CLIENT_H
#define WHITTLE_ONC_CLIENT_H
#include "wire.h"

struct whittle_onc_client {
    struct whittle_net_client net;
    struct whittle_net_pool pool;
    struct whittle_onc_client_options options;
    struct whittle_net_address address;
    uint64_t timeout, connect_timeout, retransmit;  /* nanoseconds; 0: none */
    uint64_t until;                     /* no call lasts longer than this moment; 0: any may */
    bool refers;                        /* long bytes are not copied into messages */
    bool coarse_clock;                  /* calls may begin a tick of the system early or late */
    size_t usual;                       /* how long the last message was that took more than a small buffer */
    size_t head_size;
    char *head;                         /* what calls begin with: a mark, a header with a credential */
    uint32_t xid;
    uint32_t epoch;                     /* counts what was cancelled */
    uint32_t lowest, highest;           /* what the server had instead */
    /* Of whoever has `net.writing`: */
    struct whittle_net_buffer *outbox;  /* messages that wait to be sent together */
    size_t batched;                     /* bytes of them; read without the lock, too */
    uint16_t port;                      /* that rpcbind gave; 0: it is not known */
};

/* head.c: what all calls begin with; false: no memory. */
bool whittle_onc_head_make(struct whittle_onc_client *client);
/* The first of the process's groups, as many as are sent: how many. */
uint32_t whittle_onc_own_groups(uint32_t *first);

/* connect.c: connects where it is not; with `writing` held. */
int whittle_onc_client_ready(struct whittle_onc_client *client, const struct whittle_onc_call *call, uint64_t now);
/* It goes over this connected socket, which is its own then, until that is lost. Nothing was called yet. */
int whittle_onc_client_adopt(struct whittle_onc_client *client, int fd);

/* send.c, with `writing` held: what waits, and this message behind it; a failure of net's, or 0. */
int whittle_onc_send_with(struct whittle_onc_client *client, struct whittle_onc_call *call);
int whittle_onc_send_later(struct whittle_onc_client *client, struct whittle_onc_call *call);
int whittle_onc_send_batch(struct whittle_onc_client *client, const struct whittle_net_limits *limits);
int whittle_onc_send_datagram(struct whittle_onc_client *client, struct whittle_onc_call *call);
/* A datagram's call is due again: sent, twice as long until the next time. */
int whittle_onc_resend(struct whittle_net_client *client, struct whittle_net_call *call, uint64_t now);
/* client.c: as whittle_onc_client_flush, a status. */
int whittle_onc_flush_within(struct whittle_onc_client *client, const struct whittle_net_limits *limits);
/* call.c */
void whittle_onc_limits_of(const struct whittle_onc_call *call, struct whittle_net_limits *limits);

/* record.c: replies out of what comes. */
enum whittle_net_got whittle_onc_next(struct whittle_net_reader *reader, struct whittle_net_message *message);
enum whittle_net_match whittle_onc_match(const struct whittle_net_message *message, uint32_t *xid);
/* status.c: a failure of net's as a status. */
int whittle_onc_status_of(int failure);
/* answer.c: the reply's header. */
int whittle_onc_answer_read(struct whittle_onc_call *call);
/* A block of malloc's for the call's results; false: they take more than the client allows. */
bool whittle_onc_call_charge(struct whittle_onc_call *call, size_t size);
/* candidates.c: by datagrams, to the one of the server's addresses that answers; the descriptor, or a failure of net's. */
int whittle_onc_candidates_connect(struct whittle_onc_client *client, const struct whittle_onc_call *call, uint16_t port, const struct whittle_net_limits *limits);
/* lookup.c: the port of a program at the client's host: above 0, or a status. */
int whittle_onc_lookup(const struct whittle_onc_client *client, uint32_t program, uint32_t version, uint64_t until);
#endif
