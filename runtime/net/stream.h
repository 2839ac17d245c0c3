/* SPDX-License-Identifier: MIT-0 */
/*
 * The bytes of an open connection. What carries them, a socket or memory that both sides share, is a table of functions; nothing
 * above knows which it is. In: what is to be sent, and where to put what came. Out: how much of it, as recv and sendmsg say it.
 */
#ifndef WHITTLE_NET_STREAM_H
#define WHITTLE_NET_STREAM_H
#include "buffer.h"
#include "clock.h"
#include <sys/socket.h>
#include <sys/uio.h>

struct whittle_net_stream;
struct whittle_net_stream_ops {
    /* As recv and sendmsg; `flags`: MSG_DONTWAIT, MSG_WAITALL. What may wait does so for a slice at most. */
    ssize_t (*receive)(struct whittle_net_stream *stream, void *to, size_t room, int flags);
    ssize_t (*send)(struct whittle_net_stream *stream, struct iovec *pieces, int count, int flags);
    /* Above 0: something has come; 0: the end; below 0: nothing has, or it is broken: see errno. */
    ssize_t (*waiting)(struct whittle_net_stream *stream);
    /* As poll until that moment: POLLIN, POLLOUT; 0: none of them in time; below 0: see errno. */
    int (*wait)(struct whittle_net_stream *stream, short events, uint64_t until);
    void (*hang_up)(struct whittle_net_stream *stream, int how);
    /* All but the descriptor is given up. */
    void (*end)(struct whittle_net_stream *stream);
    /* Of a server's stream; the events are epoll's. It has reported these: what they mean. */
    uint32_t (*events)(struct whittle_net_stream *stream, uint32_t events);
    /* These are waited for: what epoll is to report. */
    uint32_t (*watch)(struct whittle_net_stream *stream, uint32_t events);
    /* Epoll is to report only from so many bytes; false: it cannot. */
    bool (*await_bytes)(struct whittle_net_stream *stream, int bytes);
    /* Which of these there are, without a system call; NULL: only epoll knows. */
    uint32_t (*look)(struct whittle_net_stream *stream, uint32_t events);
    /* Of those with `look`. Whoever waits for these may sleep until a word is no longer the value, by a futex that processes share; NULL: only epoll knows. */
    uint32_t *(*futex_word)(struct whittle_net_stream *stream, uint32_t events, uint32_t *value);
    /* Of the server's memory, as soon as a client has said hello. */
    size_t needs;
};

struct whittle_net_challenges;
struct whittle_net_memory;
struct whittle_net_stream {
    const struct whittle_net_stream_ops *ops;
    int fd;                             /* -1: none */
    struct whittle_net_pool *pool;      /* whose budget it counts against; NULL: none's */
    struct whittle_net_memory *memory;  /* memory.h */
    struct whittle_net_challenges *challenges;      /* of another user's client that has not said hello yet; prove.h */
};

/* sockets.c. A connected socket's. */
extern const struct whittle_net_stream_ops whittle_net_sockets;
WHITTLE_NET_UNUSED static inline struct whittle_net_stream whittle_net_socket_stream(int fd)
{
    const struct whittle_net_stream stream = {&whittle_net_sockets, fd, NULL, NULL, NULL};
    return stream;
}
#endif
