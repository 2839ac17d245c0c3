/* SPDX-License-Identifier: MIT-0 */
/* Sockets: connected in time, made to listen, and written to. Failures are negative: failure.h. */
#ifndef WHITTLE_NET_SOCKET_H
#define WHITTLE_NET_SOCKET_H
#include "failure.h"
#include "resolve.h"
#include <sys/uio.h>

/* connect.c. Begins to connect to one name: the descriptor, which does not block. -1: see errno. */
int whittle_net_connect_begin(const struct whittle_net_name *name, int type);
/* Once it is writable: 0, or the errno of why it is not connected. */
int whittle_net_connect_end(int fd, int type);
/* To one name: the descriptor, which does not block, or a failure. */
int whittle_net_connect_name(const struct whittle_net_name *name, int type, const struct whittle_net_limits *limits);
/* To an address at a port, whichever of its names answers; the descriptor, tuned (whittle_net_tune), or a failure. */
int whittle_net_connect(const struct whittle_net_address *address, uint16_t port, const struct whittle_net_limits *limits);
/* A connected one, made ready for callers: they wait in the kernel, for a slice at most. What is below 0 stays. */
int whittle_net_tune(int fd, enum whittle_net_transport transport);

/* bind.c. Bound to an address, and listening; the descriptor, which does not block, and its name, or -1: see errno. */
int whittle_net_bind(const struct whittle_net_address *address, struct whittle_net_name *name);
/* The file that a path's name stands for now, as a number; 0: there is none. A path may be another server's by the time one ends. */
uint64_t whittle_net_path_mark(const struct whittle_net_name *name);
/* One that somebody else made: bound, if it is not yet, and made to listen; its transport and name. false: see errno. */
bool whittle_net_adopt(int fd, enum whittle_net_transport *transport, struct whittle_net_name *name);
/*
 * A connection waits: its descriptor. -1: see errno; where descriptors are used up, one that waited was closed if `spare` allows it.
 * `spare` NULL: it goes on waiting.
 */
int whittle_net_accept(int listener, int *spare, struct whittle_net_name *peer);

/* transfer.c. What is left of the pieces after `sent` bytes; how many pieces that is. */
int whittle_net_pieces_left(struct iovec **pieces, int count, size_t sent);
/* One system call; `flags` beside MSG_NOSIGNAL. */
ssize_t whittle_net_send_pieces(int fd, struct iovec *pieces, int count, int flags);
#endif
