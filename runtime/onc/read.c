/* SPDX-License-Identifier: MIT-0 */
/* What a client's socket gives, handed to the calls that wait for it. */
#include "client.h"
#include <errno.h>

enum { WHITTLE_ONC_WORTH_WAITING = 32768 };     /* bytes, to be read in one go */

void whittle_onc_call_add(struct whittle_onc_client *client, struct whittle_onc_call *call)
{
    call->next = NULL;
    call->previous = client->last;
    if (client->last != NULL)
        client->last->next = call;
    else
        client->first = call;
    client->last = call;
    call->waiting = true;
}

void whittle_onc_call_remove(struct whittle_onc_client *client, struct whittle_onc_call *call)
{
    if (!call->waiting)
        return;
    call->waiting = false;
    if (call->previous != NULL)
        call->previous->next = call->next;
    else
        client->first = call->next;
    if (call->next != NULL)
        call->next->previous = call->previous;
    else
        client->last = call->previous;
}

void whittle_onc_call_done(struct whittle_onc_client *client, struct whittle_onc_call *call, int status)
{
    whittle_onc_call_remove(client, call);
    call->status = status;
    call->done = true;
    if (call->waiter != NULL)
        pthread_cond_signal((pthread_cond_t *)call->waiter);
}

/* The reply of whom? Most often of the one that waits longest. */
static void whittle_onc_deliver(struct whittle_onc_client *client, struct whittle_onc_message *message)
{
    const bool has_number = message->end - message->base >= 4;
    const uint32_t xid = has_number ? whittle_get32(message->base) : 0;
    struct whittle_onc_call *call = has_number ? client->first : NULL;
    while (call != NULL && call->xid != xid)
        call = call->next;
    if (call == NULL) {     /* it was given up, or has been answered already */
        whittle_onc_buffer_give(&client->pool, message->buffer);
        return;
    }
    call->reply = message->buffer;
    call->reply_base = message->base;
    call->reply_end = message->end;
    whittle_onc_call_done(client, call, WHITTLE_ONC_OK);
}

/* A datagram is a message; the buffer is as long as any can be. */
__attribute__((noinline)) static char *whittle_onc_datagram_room(struct whittle_onc_client *client, size_t *room)
{
    struct whittle_onc_reader *const reader = &client->reader;
    const size_t begin = WHITTLE_ONC_REPLY_LEAD + WHITTLE_ONC_MARK;
    if (reader->buffer != NULL && !whittle_onc_buffer_alone(reader->buffer)) {
        whittle_onc_buffer_give(&client->pool, reader->buffer);
        reader->buffer = NULL;
    }
    if (reader->buffer == NULL)
        reader->buffer = whittle_onc_buffer_take(&client->pool, begin + 65536, begin + 65536);
    *room = 65536;
    return reader->buffer == NULL ? NULL : reader->buffer->bytes + begin;
}

/* recv, where there is memory to receive to. */
static ssize_t whittle_onc_receive_some(struct whittle_onc_client *client, int flags, char **to)
{
    size_t room = 0;
    const size_t expected = client->datagram ? 0 : whittle_onc_reader_expects(&client->reader);
    *to = client->datagram ? whittle_onc_datagram_room(client, &room) : whittle_onc_reader_room(&client->reader, &room);
    if (*to == NULL) {
        errno = ENOMEM;
        return -1;
    }
    if (expected >= WHITTLE_ONC_WORTH_WAITING && (flags & MSG_DONTWAIT) == 0) {
        room = room < expected ? room : expected;
        flags |= MSG_WAITALL;
    }
    return recv(client->fd, *to, room, flags);
}

static void whittle_onc_take_all(struct whittle_onc_client *client, char *to, size_t came)
{
    struct whittle_onc_message message = {client->reader.buffer, to, to + came};
    enum whittle_onc_got got;
    if (client->datagram) {
        whittle_onc_buffer_share(message.buffer);
        whittle_onc_deliver(client, &message);
        return;
    }
    whittle_onc_reader_came(&client->reader, came);
    while ((got = whittle_onc_reader_next(&client->reader, &message)) == WHITTLE_ONC_GOT_MESSAGE)
        whittle_onc_deliver(client, &message);
    if (got == WHITTLE_ONC_GOT_NONSENSE)
        whittle_onc_client_fail(client, WHITTLE_ONC_BAD_REPLY);
}

void whittle_onc_read_once(struct whittle_onc_client *client, int flags)
{
    char *to;
    client->reading = true;
    pthread_mutex_unlock(&client->lock);
    const ssize_t came = whittle_onc_receive_some(client, flags, &to);
    const int problem = came < 0 ? errno : 0;
    pthread_mutex_lock(&client->lock);
    client->reading = false;
    if (came > 0 && (client->open || client->first != NULL))
        whittle_onc_take_all(client, to, (size_t)came);
    else if (came == 0 && client->datagram)
        ;   /* an empty one */
    else if (problem == ENOMEM)
        whittle_onc_client_fail(client, WHITTLE_ONC_NO_MEMORY);
    else if (problem == ECONNREFUSED)
        whittle_onc_client_fail(client, WHITTLE_ONC_REFUSED);
    else if (problem != EAGAIN && problem != EINTR)
        whittle_onc_client_fail(client, WHITTLE_ONC_LOST);
    if (!client->open)
        pthread_cond_broadcast(&client->calm);
}
