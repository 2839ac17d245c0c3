/* SPDX-License-Identifier: MIT-0 */
/*
 * Streams through shared memory: a ring for what the client sends, one for what the server does. The client makes the memory, and
 * passes it over a Unix socket, which stays connected: it wakes a side that sleeps there, and its end is the peer's death.
 * Who waits stays awake briefly, then sleeps by a futex; a server with several clients sleeps in epoll. While both sides are busy,
 * there is no system call.
 */
#ifndef WHITTLE_NET_MEMORY_H
#define WHITTLE_NET_MEMORY_H
#include "spin.h"
#include "failure.h"
#include "prove.h"
#include "resolve.h"
#include "ring.h"
#include "stream.h"

enum { WHITTLE_NET_MEMORY_VERSION = 2, WHITTLE_NET_RING = 256 * 1024 };     /* bytes that a client of ours makes, each way */

/* What a client says first, with the memory's descriptor, and what the server answers. All versions begin with name and version. */
struct whittle_net_memory_hello {
    char name[8];
    uint32_t version, requests, replies;    /* bytes of the rings: powers of two */
};
/* The same, behind both challenges, from another user's process: prove.h. */
struct whittle_net_memory_proven {
    struct whittle_net_memory_hello hello;
    uint8_t proof[WHITTLE_NET_PROOF];
};
struct whittle_net_memory_answer {
    char name[8];
    uint32_t version, status;               /* 0, or a failure's number without its sign */
};
/* How the memory begins; the rings' bytes follow, the requests' first. */
struct whittle_net_memory_head {
    struct whittle_net_ring_head requests, replies;
};

struct whittle_net_memory {
    struct whittle_net_ring in, out;
    char *all;
    size_t size;
    struct whittle_net_spin reading, writing;  /* each that side's, which another thread may have */
    uint64_t spin_time, patience;           /* nanoseconds: a wait begins awake; lasts so long at most */
    uint32_t forks;                         /* of this process, when it was opened */
    bool rests;                             /* the other side may have been asked to ring */
    bool gone;                              /* atomic: the other side has hung up */
};

/* memory.c. A client's end of it, and a server's, which takes the memory when it comes. */
extern const struct whittle_net_stream_ops whittle_net_memory_ops;

/* memory_open.c. What greetings begin with; how much memory two rings take. */
extern const char whittle_net_greeting[8];
size_t whittle_net_memory_size(uint32_t requests, uint32_t replies);
/* The stream goes through this memory, whose descriptor is closed. false: see errno. */
bool whittle_net_memory_map(struct whittle_net_stream *stream, int descriptor, const struct whittle_net_memory_hello *hello, bool server);
/* A child has its parent's memory, whose rings are the parent's to use. */
bool whittle_net_memory_is_own(const struct whittle_net_memory *memory);
/* How often this process was forked off since the first memory was mapped: another number in a child than in its parent. */
uint32_t whittle_net_forks_now(void);

/* memory_connect.c. To the server that listens at that path: a failure, or 0. */
int whittle_net_memory_connect(const char *path, const struct whittle_net_limits *limits, struct whittle_net_stream *stream);
/*
 * memory_accept.c. The client's hello, or its challenge, where one has come. 1: the stream has memory; 0: it is none that can be, and was answered
 * so; below 0: see errno, EAGAIN while more is to come.
 */
int whittle_net_memory_accept(struct whittle_net_stream *stream);
/* What it has kept of challenges goes. */
void whittle_net_memory_accepted(struct whittle_net_stream *stream);
#endif
