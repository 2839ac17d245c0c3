/* SPDX-License-Identifier: MIT-0 */
/* Streams of connected sockets: stream.h. */
#include "stream.h"
#include "socket.h"
#include <errno.h>

static ssize_t whittle_net_socket_receive(struct whittle_net_stream *stream, void *to, size_t room, int flags)
{
    return recv(stream->fd, to, room, flags);
}

static ssize_t whittle_net_socket_send(struct whittle_net_stream *stream, struct iovec *pieces, int count, int flags)
{
    return whittle_net_send_pieces(stream->fd, pieces, count, flags);
}

static ssize_t whittle_net_socket_waiting(struct whittle_net_stream *stream)
{
    char byte;
    return recv(stream->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
}

static int whittle_net_socket_wait(struct whittle_net_stream *stream, short events, uint64_t until)
{
    return whittle_net_wait_events(stream->fd, events, until);
}

static void whittle_net_socket_hang_up(struct whittle_net_stream *stream, int how)
{
    shutdown(stream->fd, how);
}

static void whittle_net_socket_end(struct whittle_net_stream *stream)
{
    (void)stream;
}

static uint32_t whittle_net_socket_events(struct whittle_net_stream *stream, uint32_t events)
{
    (void)stream;
    return events;
}

static bool whittle_net_socket_await_bytes(struct whittle_net_stream *stream, int bytes)
{
    return setsockopt(stream->fd, SOL_SOCKET, SO_RCVLOWAT, &bytes, sizeof bytes) == 0;
}

const struct whittle_net_stream_ops whittle_net_sockets = {
    .receive = whittle_net_socket_receive, .send = whittle_net_socket_send, .waiting = whittle_net_socket_waiting,
    .wait = whittle_net_socket_wait, .hang_up = whittle_net_socket_hang_up, .end = whittle_net_socket_end,
    .events = whittle_net_socket_events, .watch = whittle_net_socket_events, .await_bytes = whittle_net_socket_await_bytes};
