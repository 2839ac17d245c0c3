/* SPDX-License-Identifier: MIT-0 */
/*
 * Messages onto a client's socket: one system call each, or for many together. What the server sends meanwhile is read when it takes
 * no more: it may be waiting for us to.
 */
#include "client.h"
#include <errno.h>
#include <poll.h>

int whittle_net_begin_writing(struct whittle_net_client *client, const struct whittle_net_limits *limits)
{
    if (pthread_mutex_trylock(&client->writing) == 0)
        return WHITTLE_NET_OK;
    while (!whittle_net_lock_until(&client->writing, limits->deadline)) {
        if (whittle_net_is_cancelled(limits))
            return WHITTLE_NET_CANCELLED;
        if (whittle_net_is_over(limits->deadline))
            return WHITTLE_NET_TIMED_OUT;
    }
    return WHITTLE_NET_OK;
}

/* The socket takes no more: until it does, or `until`, what comes is read. */
WHITTLE_NET_COLD static void whittle_net_wait_writable(struct whittle_net_client *client, uint64_t until)
{
    pthread_mutex_lock(&client->lock);
    const bool reads = !client->reading && client->open;
    client->reading = client->reading || reads;
    pthread_mutex_unlock(&client->lock);
    const int found = client->stream.ops->wait(&client->stream, (short)(POLLOUT | (reads ? POLLIN : 0)), until);
    if (!reads)
        return;
    pthread_mutex_lock(&client->lock);
    client->reading = false;
    if (found > 0 && (found & ~POLLOUT) != 0 && client->open)
        whittle_net_receive(client, MSG_DONTWAIT);
    whittle_net_hand_over(client);
    if (!client->open)
        pthread_cond_broadcast(&client->reader_left);
    pthread_mutex_unlock(&client->lock);
}

/* Nobody else waits: no reply can hold the server up. Over a Unix socket each piece that goes begins the system's time anew. */
static bool whittle_net_may_block(struct whittle_net_client *client, const struct whittle_net_call *call)
{
    int domain = AF_UNIX;
    socklen_t size = sizeof domain;
    if (getsockopt(client->stream.fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) != 0 || domain == AF_UNIX)
        return false;
    pthread_mutex_lock(&client->lock);
    const bool alone = client->first == call && client->last == call && !client->short_deadlines;
    pthread_mutex_unlock(&client->lock);
    return alone;
}

WHITTLE_NET_HOT int whittle_net_transmit(struct whittle_net_client *client, struct whittle_net_call *call, const struct whittle_net_limits *limits,
                         struct iovec *pieces, int count, bool begun)
{
    bool blocks = false, looked = false;
    for (;;) {
        const ssize_t sent = client->stream.ops->send(&client->stream, pieces, count, blocks ? 0 : MSG_DONTWAIT);
        const bool full = sent < 0 && (errno == EAGAIN || errno == EINTR);
        if (sent < 0 && !full)
            return begun ? WHITTLE_NET_LOST : WHITTLE_NET_NOT_BEGUN;
        begun = begun || sent > 0;
        if (call != NULL)
            call->begun = begun;
        count = sent < 0 ? count : whittle_net_pieces_left(&pieces, count, (size_t)sent);
        if (count == 0)
            return WHITTLE_NET_OK;
        const uint64_t now = whittle_net_now();
        if (call != NULL)
            call->slow = true;
        if (whittle_net_is_cancelled(limits))
            return WHITTLE_NET_CANCELLED;
        if (limits->deadline != 0 && now >= limits->deadline)
            return WHITTLE_NET_TIMED_OUT;
        if (!looked)
            blocks = whittle_net_may_block(client, call);
        looked = true;
        blocks = blocks && (limits->deadline == 0 || now + WHITTLE_NET_SLICE < limits->deadline);
        if (full && !blocks)
            whittle_net_wait_writable(client, whittle_net_sooner(limits->deadline, now + WHITTLE_NET_SLICE));
    }
}

/* Somebody reads: what has come is seen to before the connection is given up. With the lock held. */
static void whittle_net_drain(struct whittle_net_client *client)
{
    enum { TIMES = 20 };
    if (client->open && client->reading)
        client->stream.ops->hang_up(&client->stream, SHUT_RDWR);        /* what has come can still be read, and nobody waits for more */
    for (int times = 0; times < TIMES && client->open && client->reading; times++)
        whittle_net_condition_wait(&client->reader_left, &client->lock, whittle_net_now() + WHITTLE_NET_MILLISECOND);
}

WHITTLE_NET_COLD void whittle_net_not_transmitted(struct whittle_net_client *client)
{
    enum { READS = 16 };
    pthread_mutex_lock(&client->lock);
    whittle_net_drain(client);
    for (int times = 0; times < READS && client->open && !client->reading; times++)
        whittle_net_receive(client, MSG_DONTWAIT);
    whittle_net_client_fail(client, WHITTLE_NET_LOST);
    pthread_mutex_unlock(&client->lock);
}
