/* SPDX-License-Identifier: MIT-0 */
/*
 * A client's end. Its connection is shared by all threads: who waits for a reply and finds nobody reading reads, for all that
 * wait, until its own reply is there; then the next one does.
 */
#ifndef WHITTLE_ONC_CLIENT_H
#define WHITTLE_ONC_CLIENT_H
#include "address.h"
#include "record.h"

struct whittle_onc_client {
    struct whittle_onc_client_options options;
    struct whittle_onc_address address;
    struct whittle_onc_pool pool;
    uint64_t timeout, connect_timeout, retransmit;  /* 0: none */
    bool datagram, hasty;               /* hasty: waits shorter than a slice */
    bool refers;                        /* long bytes are not copied into messages */
    size_t usual;                       /* how long the last message was that took more than a small buffer */
    size_t head_size;
    char *head;                         /* what calls begin with: a mark, a header with a credential */
    uint32_t xid;
    uint32_t epoch, *epochs;            /* counts what was cancelled; it, or that of whose rpcbind is asked */
    uint32_t lowest, highest;           /* what the server had instead */

    pthread_mutex_t writing;            /* of what follows; taken before `lock` */
    struct whittle_onc_buffer *outbox;  /* messages that wait to be sent together */
    size_t boxed;                       /* bytes of them; read without the lock, too */
    uint16_t port;                      /* that rpcbind told; 0: it is not known */
    uint64_t used;                      /* when something was sent last */

    pthread_mutex_t lock;               /* of what follows */
    pthread_cond_t calm;                /* nobody reads */
    int fd;
    bool open;                          /* calls go over it; changed with both locks held, or at a loss with this one */
    bool reading;                       /* somebody does, and has the reader */
    struct whittle_onc_reader reader;
    struct whittle_onc_call *first, *last;
};

/* Since a call that began in this epoch nothing was cancelled. */
WHITTLE_INLINE bool whittle_onc_client_goes_on(const struct whittle_onc_client *client, uint32_t epoch)
{
    return __atomic_load_n(client->epochs, __ATOMIC_RELAXED) == epoch;
}

/* head.c: what all calls begin with; false: no memory. */
bool whittle_onc_head_make(struct whittle_onc_client *client);
/* The first of the process's groups, as many as are told: how many. */
uint32_t whittle_onc_own_groups(uint32_t *first);

/* connect.c: connects where it is not; with `writing` held. */
int whittle_onc_client_ready(struct whittle_onc_client *client, const struct whittle_onc_call *call, uint64_t now);
/* It goes over this connected socket, which is its own then, until that is lost. Nothing was called yet. */
int whittle_onc_client_adopt(struct whittle_onc_client *client, int fd);
/* No more calls over this connection; those that wait fail. With `lock` held. */
void whittle_onc_client_fail(struct whittle_onc_client *client, int status);

/* send.c, with `writing` held: what waits, and this message behind it. NOT_BEGUN: the connection is lost, and nothing went over it. */
enum { WHITTLE_ONC_NOT_BEGUN = 1 };
int whittle_onc_send_with(struct whittle_onc_client *client, const struct whittle_onc_call *call);
int whittle_onc_send_later(struct whittle_onc_client *client, const struct whittle_onc_call *call);
int whittle_onc_send_boxed(struct whittle_onc_client *client);
int whittle_onc_send_datagram(struct whittle_onc_client *client, const struct whittle_onc_call *call);

/* read.c: reads once, for all that wait; `flags` for recv. `lock` is held, but while reading. */
void whittle_onc_read_once(struct whittle_onc_client *client, int flags);
void whittle_onc_call_add(struct whittle_onc_client *client, struct whittle_onc_call *call);
void whittle_onc_call_remove(struct whittle_onc_client *client, struct whittle_onc_call *call);
/* It waits no more: its reply is there, or it has failed. */
void whittle_onc_call_done(struct whittle_onc_client *client, struct whittle_onc_call *call, int status);

/* wait.c: until the call is done. */
void whittle_onc_wait(struct whittle_onc_call *call, bool just_sent);
/* Somebody who waits is to read now, if nobody does. With `lock` held. */
void whittle_onc_hand_over(struct whittle_onc_client *client);
/* answer.c: the reply's header. */
int whittle_onc_answer_read(struct whittle_onc_call *call);
/* places.c: by datagrams, to the one of the server's addresses that answers; the descriptor, or a status. */
int whittle_onc_places_connect(struct whittle_onc_client *client, const struct whittle_onc_call *call, uint16_t port, uint64_t until);
/* lookup.c: the port of a program at the client's host: above 0, or a status. */
int whittle_onc_lookup(const struct whittle_onc_client *client, uint32_t program, uint32_t version, uint64_t until);
#endif
