/* SPDX-License-Identifier: MIT-0 */
/* What a client's socket gives, handed to the calls that wait for it. */
#include "client.h"
#include <errno.h>

enum { WHITTLE_NET_WORTH_WAITING = 32768, WHITTLE_NET_DATAGRAM_ROOM = 65536 };  /* bytes: to be read in one go; of any datagram */

/* The reply of whom? Most often of the one that waits longest. */
static void whittle_net_deliver(struct whittle_net_client *client, struct whittle_net_message *message)
{
    uint32_t id = 0;
    const enum whittle_net_match match = client->protocol->match(message, &id);
    struct whittle_net_call *call = match == WHITTLE_NET_REPLY ? client->first : NULL;
    while (call != NULL && call->id != id)
        call = call->next;
    if (call != NULL) {
        call->reply = *message;
        whittle_net_call_done(client, call, WHITTLE_NET_OK);
        return;
    }
    whittle_net_buffer_give(client->pool, message->buffer);     /* it was given up, or has its reply already */
    if (match == WHITTLE_NET_BAD_REPLY && client->protocol->protocol_error != NULL)
        client->protocol->protocol_error(client);
    if (match == WHITTLE_NET_CLOSES)
        whittle_net_client_fail(client, WHITTLE_NET_CLOSED);
    else if (match == WHITTLE_NET_GIVES_UP)
        whittle_net_client_fail(client, WHITTLE_NET_LOST);
    else if (match == WHITTLE_NET_BAD_REPLY)
        whittle_net_client_fail(client, WHITTLE_NET_BAD_MESSAGE);
}

/* A datagram is a message; the buffer is as long as any can be. */
WHITTLE_NET_COLD static char *whittle_net_datagram_room(struct whittle_net_client *client, size_t *room)
{
    struct whittle_net_reader *const reader = &client->reader;
    const size_t begin = reader->lead + reader->keep;
    if (reader->buffer != NULL && !whittle_net_buffer_alone(reader->buffer)) {
        whittle_net_buffer_give(client->pool, reader->buffer);
        reader->buffer = NULL;
    }
    if (reader->buffer == NULL)
        reader->buffer = whittle_net_buffer_take(client->pool, begin + WHITTLE_NET_DATAGRAM_ROOM, begin + WHITTLE_NET_DATAGRAM_ROOM);
    *room = WHITTLE_NET_DATAGRAM_ROOM;
    return reader->buffer == NULL ? NULL : reader->buffer->bytes + begin;
}

/* recv, where there is memory to receive to. */
static ssize_t whittle_net_receive_some(struct whittle_net_client *client, int flags, char **to)
{
    size_t room = 0;
    const size_t expected = client->datagrams ? 0 : whittle_net_reader_expects(&client->reader);
    *to = client->datagrams ? whittle_net_datagram_room(client, &room) : whittle_net_reader_room(&client->reader, &room);
    if (*to == NULL) {
        errno = ENOMEM;
        return -1;
    }
    if (expected >= WHITTLE_NET_WORTH_WAITING && (flags & MSG_DONTWAIT) == 0) {
        room = room < expected ? room : expected;
        flags |= MSG_WAITALL;
    }
    return client->stream.ops->receive(&client->stream, *to, room, flags);
}

WHITTLE_NET_FLATTEN static void whittle_net_take_all(struct whittle_net_client *client, char *to, size_t came)
{
    struct whittle_net_message message = {client->reader.buffer, to, to + came};
    enum whittle_net_got got = WHITTLE_NET_GOT_NOTHING;
    if (client->datagrams) {
        whittle_net_buffer_share(message.buffer);
        whittle_net_deliver(client, &message);
        return;
    }
    whittle_net_reader_came(&client->reader, came);
    while (client->open && (got = client->protocol->next(&client->reader, &message)) == WHITTLE_NET_GOT_MESSAGE)
        whittle_net_deliver(client, &message);
    if (got != WHITTLE_NET_GOT_ERROR || !client->open)
        return;
    if (client->protocol->protocol_error != NULL)
        client->protocol->protocol_error(client);
    whittle_net_client_fail(client, WHITTLE_NET_BAD_MESSAGE);
}

void whittle_net_discard(struct whittle_net_client *client)
{
    enum { MOST = 1000 };
    char byte;
    for (int count = 0; count < MOST && recv(client->stream.fd, &byte, sizeof byte, MSG_DONTWAIT) >= 0; count++)
        ;
}

WHITTLE_NET_HOT void whittle_net_receive(struct whittle_net_client *client, int flags)
{
    char *to;
    client->reading = true;
    pthread_mutex_unlock(&client->lock);
    const ssize_t came = whittle_net_receive_some(client, flags, &to);
    const int problem = came < 0 ? errno : 0;
    pthread_mutex_lock(&client->lock);
    client->reading = false;
    if (came > 0 && client->open)
        whittle_net_take_all(client, to, (size_t)came);
    else if (came == 0 && client->datagrams)
        ;   /* an empty one */
    else if (problem == ENOMEM)
        whittle_net_client_fail(client, WHITTLE_NET_NO_MEMORY);
    else if (problem == ECONNREFUSED)
        whittle_net_client_fail(client, WHITTLE_NET_REFUSED);
    else if (came == 0 || (came < 0 && problem != EAGAIN && problem != EINTR))
        whittle_net_client_fail(client, WHITTLE_NET_LOST);
    if (!client->open)
        pthread_cond_broadcast(&client->reader_left);
}
