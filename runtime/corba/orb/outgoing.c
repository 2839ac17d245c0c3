/* SPDX-License-Identifier: MIT-0 */
/* Replies on their way: what the socket takes goes at once, the rest waits in the connection's queue until it takes more. */
#include "parts.h"
#include <errno.h>
#include <sys/socket.h>

static void whittle_queue(struct whittle_connection *connection, struct whittle_buffer *buffer)
{
    buffer->next = NULL;
    *connection->queue_end = buffer;
    connection->queue_end = &buffer->next;
    connection->queued += buffer->to - buffer->from;
    if (connection->queued > connection->orb->options.pending)
        connection->full = true;
}

/* As much as goes: how many bytes; -1: the connection is broken. */
static ssize_t whittle_push(int fd, struct iovec *pieces, int count)
{
    const struct msghdr message = {.msg_iov = pieces, .msg_iovlen = (size_t)count};
    ssize_t sent;
    while ((sent = sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT)) < 0 && errno == EINTR)
        ;
    return sent < 0 && errno == EAGAIN ? 0 : sent;
}

/* Pieces of a message, of which `sent` bytes went: the others wait, copied. */
static int whittle_outgoing_rest(struct whittle_connection *connection, const struct iovec *pieces, int count, size_t sent)
{
    size_t total = 0;
    for (int index = 0; index < count; index++)
        total += pieces[index].iov_len;
    struct whittle_buffer *const buffer = total == sent ? NULL : whittle_buffer_take(&connection->orb->pool, total, total);
    if (buffer == NULL)
        return total == sent ? 1 : -1;
    for (int index = 0; index < count; index++) {
        memcpy(buffer->bytes + buffer->to, pieces[index].iov_base, pieces[index].iov_len);
        buffer->to += pieces[index].iov_len;
    }
    buffer->from = sent;
    whittle_queue(connection, buffer);
    return 1;
}

static int whittle_outgoing_each(struct whittle_sending *sending, struct iovec *pieces, int count)
{
    struct whittle_connection *const connection = sending->connection;
    const ssize_t sent = connection->queue != NULL ? 0 : whittle_push(connection->fd, pieces, count);
    return sent < 0 ? -1 : whittle_outgoing_rest(connection, pieces, count, (size_t)sent);
}

/* A message of one piece: its buffer itself waits. */
static int whittle_outgoing_whole(struct whittle_connection *connection, struct whittle_buffer *buffer, char *base, char *end)
{
    struct iovec piece = {base, (size_t)(end - base)};
    whittle_poke32(base + WHITTLE_SIZE_AT, (uint32_t)(end - base - WHITTLE_HEADER));
    const ssize_t sent = connection->queue != NULL ? 0 : whittle_push(connection->fd, &piece, 1);
    if (sent < 0 || (size_t)sent == piece.iov_len)
        return sent < 0 ? -1 : 0;
    buffer->from = (size_t)(base - buffer->bytes) + (size_t)sent;
    buffer->to = (size_t)(end - buffer->bytes);
    whittle_queue(connection, buffer);
    return 1;
}

void whittle_outgoing(struct whittle_connection *connection, struct whittle_buffer *buffer, char *base, char *end, size_t fragment)
{
    struct whittle_sending sending = {.each = whittle_outgoing_each, .connection = connection};
    const bool whole = fragment == 0 || (size_t)(end - base) <= fragment || (uint8_t)base[5] < 2;
    bool taken = false;
    int done = -1;
    pthread_mutex_lock(&connection->writing);
    if (!connection->gone && whole) {
        done = whittle_outgoing_whole(connection, buffer, base, end);
        taken = done == 1;
    } else if (!connection->gone) {
        done = whittle_send_message(&sending, base, end, fragment);
    }
    const bool waits = connection->queue != NULL;
    pthread_mutex_unlock(&connection->writing);
    if (!taken)
        whittle_buffer_give(&connection->orb->pool, buffer);
    if (done < 0)
        shutdown(connection->fd, SHUT_RDWR);    /* whoever handles it sees its end */
    if (waits)
        whittle_server_watch(connection);
}

bool whittle_outgoing_flush(struct whittle_connection *connection)
{
    bool good = true;
    pthread_mutex_lock(&connection->writing);
    while (connection->queue != NULL) {
        struct whittle_buffer *const buffer = connection->queue;
        struct iovec piece = {buffer->bytes + buffer->from, buffer->to - buffer->from};
        const ssize_t sent = whittle_push(connection->fd, &piece, 1);
        good = sent >= 0;
        if (sent <= 0)
            break;
        __atomic_store_n(&connection->moved, true, __ATOMIC_RELAXED);
        buffer->from += (size_t)sent;
        connection->queued -= (size_t)sent;
        if (buffer->from < buffer->to)
            break;
        connection->queue = buffer->next;
        if (connection->queue == NULL)
            connection->queue_end = &connection->queue;
        whittle_buffer_give(&connection->orb->pool, buffer);
    }
    connection->full = connection->queued > connection->orb->options.pending;
    pthread_mutex_unlock(&connection->writing);
    return good;
}
