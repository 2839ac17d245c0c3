/* SPDX-License-Identifier: MIT-0 */
/* Addresses as programs write them, and the sockets at them. Moments and spans are nanoseconds of the monotonic clock. */
#ifndef WHITTLE_ONC_ADDRESS_H
#define WHITTLE_ONC_ADDRESS_H
#include "wire.h"
#include <sys/socket.h>
#include <sys/uio.h>

struct addrinfo;
enum whittle_onc_transport { WHITTLE_ONC_TCP, WHITTLE_ONC_UDP, WHITTLE_ONC_UNIX };
struct whittle_onc_address {
    enum whittle_onc_transport transport;
    char *host;                 /* or path; NULL: any */
    uint16_t port;              /* 0: none is given */
};

/* Room for every kind that is used. */
struct whittle_onc_name {
    struct sockaddr_storage storage;
    socklen_t size;
};

bool whittle_onc_address_parse(struct whittle_onc_address *address, const char *text);
void whittle_onc_address_drop(struct whittle_onc_address *address);
/* As an address is written, port 0 where there is none; malloc's. NULL: no memory, or of no kind that is used. */
char *whittle_onc_address_text(enum whittle_onc_transport transport, const struct whittle_onc_name *name);

uint64_t whittle_onc_now(void);
#define WHITTLE_ONC_MILLISECOND UINT64_C(1000000)
/* How long a wait in the kernel lasts at most: whether it was cancelled is looked at so often. */
#define WHITTLE_ONC_SLICE (100 * WHITTLE_ONC_MILLISECOND)
/* 1: there is something; 0: too late; -1: failed. `until` 0: waits for ever. */
int whittle_onc_wait_for(int fd, short events, uint64_t until);
/* How long somebody waits: `until`, 0: for ever; and while nothing more is cancelled, if there is somebody who may. */
struct whittle_onc_patience {
    uint64_t until;
    const uint32_t *epochs;     /* counts what was cancelled; NULL: nothing is */
    uint32_t epoch;             /* what it was before */
};
/* The descriptor, or a status below 0. It blocks, for a slice at most. */
int whittle_onc_connect_to(const struct whittle_onc_address *address, uint16_t port, const struct whittle_onc_patience *patience);
/* A connected one, made ready: who waits waits in the kernel, and looks up now and then. What is below 0 stays. */
int whittle_onc_connected(int fd, enum whittle_onc_transport transport);
/* socket.c: the type of an address's sockets; its names, getaddrinfo's; a path's. */
int whittle_onc_socket_type(const struct whittle_onc_address *address);
struct addrinfo *whittle_onc_addresses(const struct whittle_onc_address *address, const char *host, uint16_t port, int flags);
void whittle_onc_path_name(const struct whittle_onc_address *address, struct whittle_onc_name *name);
/* To one name: the descriptor, which does not block, or a status below 0. */
int whittle_onc_connect_one(int family, int type, const struct sockaddr *name, socklen_t size, const struct whittle_onc_patience *patience);
/* bound.c: bound, if it is not yet, and made to listen; the name it has. A status. */
int whittle_onc_listening(int fd, enum whittle_onc_transport *transport, struct whittle_onc_name *name);
/* The addresses of the host, at most so many: how many. */
size_t whittle_onc_names_of(const struct whittle_onc_address *address, uint16_t port, struct whittle_onc_name *names, size_t most);
/* As whittle_onc_connect_to, for datagrams. */
int whittle_onc_connect_name(const struct whittle_onc_name *name);
/* The descriptor, which does not block, and the name it has; or a status below 0. */
int whittle_onc_listen_at(const struct whittle_onc_address *address, struct whittle_onc_name *name);
/* What is left of the pieces after `sent` bytes; how many pieces that is. */
int whittle_onc_pieces_left(struct iovec **pieces, int count, size_t sent);
ssize_t whittle_onc_send_pieces(int fd, struct iovec *pieces, int count, int flags);
uint16_t whittle_onc_name_port(const struct whittle_onc_name *name);
#endif
