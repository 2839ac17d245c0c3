/* SPDX-License-Identifier: MIT-0 */
/*
 * A client's end of a connection, shared by all threads that call over it: who waits for a reply and finds nobody reading reads, for
 * all that wait, until its own reply is there; then the next one does. Whatever a call waits for (the lock, the socket, another
 * thread, the reply), it ends at its deadline.
 */
#ifndef WHITTLE_NET_CLIENT_H
#define WHITTLE_NET_CLIENT_H
#include "reader.h"
#include "socket.h"
#include "stream.h"

struct whittle_net_client;

/*
 * What a message from the server is: a reply to the call of that id, nothing to care about, its last (in order, or since it could not
 * make out what was sent), or none of the protocol's.
 */
enum whittle_net_match { WHITTLE_NET_REPLY, WHITTLE_NET_IGNORED, WHITTLE_NET_CLOSES, WHITTLE_NET_GIVES_UP, WHITTLE_NET_BAD_REPLY };

struct whittle_net_client_protocol {
    size_t lead, keep;                  /* where what comes is read to: reader.h */
    enum whittle_net_got (*next)(struct whittle_net_reader *reader, struct whittle_net_message *message);
    void (*forget)(struct whittle_net_reader *reader);              /* NULL: there are no partial messages */
    enum whittle_net_match (*match)(const struct whittle_net_message *message, uint32_t *id);
    /* Says that what came is none of the protocol's, where nobody is writing; NULL: nothing is said. The lock is held. */
    void (*protocol_error)(struct whittle_net_client *client);
    /* Sends again what is due; a failure, or 0. NULL: nothing ever is. The lock is held. */
    int (*resend)(struct whittle_net_client *client, struct whittle_net_call *call, uint64_t now);
    /* For calls that serve: waits until the socket is readable (true) or `until`, serving others; and wakes such a wait. */
    bool (*meanwhile)(struct whittle_net_client *client, uint64_t until);
    void (*wake)(struct whittle_net_client *client);
};

struct whittle_net_client {
    const struct whittle_net_client_protocol *protocol;
    struct whittle_net_pool *pool;
    const uint32_t *epochs;             /* counts what was cancelled; NULL: nothing is */
    bool datagrams;
    bool short_deadlines;               /* deadlines may be nearer than a slice */
    uint64_t used;                      /* when something was sent last; whoever writes has it */
    pthread_mutex_t writing;            /* of what is sent; taken before `lock` */
    pthread_mutex_t lock;               /* of what follows */
    pthread_cond_t reader_left;         /* nobody reads */
    struct whittle_net_stream stream;   /* its `fd` -1: none */
    bool open;                          /* calls go over it; changed with both locks held, or at a loss with this one */
    bool reading;                       /* somebody does, and has the reader */
    struct whittle_net_reader reader;
    struct whittle_net_call *first, *last;
    uint32_t waiters;                   /* threads that wait until another has read their reply */
};

/* client.c */
void whittle_net_client_open(struct whittle_net_client *client, const struct whittle_net_client_protocol *protocol,
                             struct whittle_net_pool *pool, size_t longest);
void whittle_net_client_close(struct whittle_net_client *client);       /* no call is under way */
/* Calls go over this from now on, which is the client's. */
void whittle_net_client_connected(struct whittle_net_client *client, const struct whittle_net_stream *stream);
/* What is left of the connection before goes; with `writing` held. false: somebody reads from it until after the deadline. */
bool whittle_net_client_clear(struct whittle_net_client *client, uint64_t deadline);
/* Has the server hung up while nobody waited? */
void whittle_net_client_look(struct whittle_net_client *client);
/* Whether calls go over it, looked at closely where nothing was sent for long and nobody waits; with `writing` held. */
WHITTLE_INLINE bool whittle_net_client_is_open(struct whittle_net_client *client, uint64_t now)
{
    if (!__atomic_load_n(&client->open, __ATOMIC_ACQUIRE))
        return false;
    if (!client->datagrams && now > client->used + WHITTLE_NET_SLICE)
        whittle_net_client_look(client);
    client->used = now > client->used ? now : client->used;
    return __atomic_load_n(&client->open, __ATOMIC_ACQUIRE);
}
/* Since a call that began in this epoch nothing was cancelled. */
WHITTLE_INLINE bool whittle_net_goes_on(const struct whittle_net_client *client, uint32_t epoch)
{
    return client->epochs == NULL || __atomic_load_n(client->epochs, __ATOMIC_RELAXED) == epoch;
}

/* With `lock` held, as all that follows: it waits for its reply. */
WHITTLE_INLINE void whittle_net_call_add(struct whittle_net_client *client, struct whittle_net_call *call)
{
    call->begun = call->slow = false;
    call->next = NULL;
    call->previous = client->last;
    if (client->last != NULL)
        client->last->next = call;
    else
        client->first = call;
    client->last = call;
    call->waiting = true;
}

/* calls.c */
void whittle_net_call_remove(struct whittle_net_client *client, struct whittle_net_call *call);
/* It waits no more: its reply is there, or it has failed. */
void whittle_net_call_done(struct whittle_net_client *client, struct whittle_net_call *call, int failure);
/* No more calls over this connection; those that wait fail. */
void whittle_net_client_fail(struct whittle_net_client *client, int failure);

/* receive.c. Reads once, for all that wait; `flags` for recv. `lock` is held, but while reading. */
void whittle_net_receive(struct whittle_net_client *client, int flags);
/* Datagrams that came while no call waited: a reply to a call that comes later is none. With `lock` held, where nobody reads. */
void whittle_net_discard(struct whittle_net_client *client);

/* await.c. Until the call is done: call->status. `just_sent`: there is time yet, so that no clock is looked at. */
void whittle_net_await(struct whittle_net_client *client, struct whittle_net_call *call, bool just_sent);
/* Somebody who waits is to read now, if nobody does. With `lock` held. */
void whittle_net_hand_over(struct whittle_net_client *client);

/* transmit.c. Takes `writing`, which others have while they connect, or send much; a failure, or 0. */
int whittle_net_begin_writing(struct whittle_net_client *client, const struct whittle_net_limits *limits);
/* All of it, with `writing` held; a failure, or 0. `call`, where there is one, is the one whose request this is; `begun`: others' bytes
   go before, so that it cannot be NOT_BEGUN. */
int whittle_net_transmit(struct whittle_net_client *client, struct whittle_net_call *call, const struct whittle_net_limits *limits,
                         struct iovec *pieces, int count, bool begun);
/* After a failure the message is not whole: nothing can follow it. What the server said before it hung up may still be read. */
void whittle_net_not_transmitted(struct whittle_net_client *client);
/* A failure that leaves the connection as it was: time was up before a byte had gone. */
WHITTLE_NET_UNUSED static inline bool whittle_net_is_harmless(const struct whittle_net_call *call, int failure)
{
    return !call->begun && (failure == WHITTLE_NET_TIMED_OUT || failure == WHITTLE_NET_CANCELLED);
}
#endif
