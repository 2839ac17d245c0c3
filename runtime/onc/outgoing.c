/* SPDX-License-Identifier: MIT-0 */
/* Replies on their way: what the socket takes goes at once, in one system call; the rest waits until it takes more. */
#include "server.h"
#include <errno.h>

void whittle_onc_enqueue(struct whittle_onc_connection *connection, struct whittle_onc_buffer *buffer)
{
    buffer->next = NULL;
    if (connection->tail != NULL)
        connection->tail->next = buffer;
    else
        connection->queue = buffer;
    connection->tail = buffer;
    connection->queued += buffer->to - buffer->from;
}

/* So many bytes of the queue have gone. */
static void whittle_onc_dequeue(struct whittle_onc_connection *connection, size_t sent)
{
    connection->queued -= sent;
    while (connection->queue != NULL && sent >= connection->queue->to - connection->queue->from) {
        struct whittle_onc_buffer *const buffer = connection->queue;
        sent -= buffer->to - buffer->from;
        connection->queue = buffer->next;
        if (connection->queue == NULL)
            connection->tail = NULL;
        whittle_onc_buffer_give(&connection->server->pool, buffer);
    }
    if (connection->queue != NULL)
        connection->queue->from += sent;
}

bool whittle_onc_flush(struct whittle_onc_connection *connection)
{
    enum { PIECES = 64 };
    while (connection->queue != NULL) {
        struct iovec pieces[PIECES];
        size_t count = 0;
        for (struct whittle_onc_buffer *buffer = connection->queue; buffer != NULL && count < PIECES; buffer = buffer->next)
            pieces[count++] = (struct iovec){buffer->bytes + buffer->from, buffer->to - buffer->from};
        const ssize_t sent = whittle_onc_send_pieces(connection->fd, pieces, (int)count, MSG_DONTWAIT);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0 && errno != EAGAIN)
            return false;
        if (sent < 0)
            break;
        whittle_onc_dequeue(connection, (size_t)sent);
        whittle_onc_meter_move(&connection->out, (size_t)sent);
    }
    const bool ran = whittle_onc_meter_runs(&connection->out);
    if (ran != (connection->queue != NULL))
        whittle_onc_meter_set(&connection->out, ran ? 0 : whittle_onc_now());
    connection->full = connection->queued > connection->server->options.pending;
    if (connection->queued != connection->waiting)
        whittle_onc_count_waiting(connection);
    return true;
}
