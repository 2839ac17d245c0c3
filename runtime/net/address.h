/* SPDX-License-Identifier: MIT-0 */
/*
 * Addresses as programs write them, `tcp://host:port`, `udp://host:port`, `unix:/path` (`unix:@name` is abstract), `shm:name` (shared
 * memory, on this machine) and `auto:name@host:port` (the same where such a server is here, else TCP); and their names.
 */
#ifndef WHITTLE_NET_ADDRESS_H
#define WHITTLE_NET_ADDRESS_H
#include "clock.h"
#include <sys/socket.h>

enum whittle_net_transport { WHITTLE_NET_TCP, WHITTLE_NET_UDP, WHITTLE_NET_UNIX };
struct whittle_net_address {
    enum whittle_net_transport transport;
    char *host;                 /* or path; NULL: any, or only `local` */
    uint16_t port;              /* 0: none is given */
    char *local;                /* the path by which shared memory is agreed on; NULL: there is none */
};

/* A socket's name, with room for every kind that is used. */
struct whittle_net_name {
    struct sockaddr_storage storage;
    socklen_t size;
};

/* false: it is no address, or no memory. */
bool whittle_net_address_parse(struct whittle_net_address *address, const char *text);
/* It has a host, or path, to call; whether a port belongs to it. */
bool whittle_net_address_is_whole(const struct whittle_net_address *address);
bool whittle_net_address_has_port(const struct whittle_net_address *address);
/* It names shared memory, and nothing else. */
bool whittle_net_address_is_local(const struct whittle_net_address *address);
void whittle_net_address_drop(struct whittle_net_address *address);
/* As an address is written, port 0 where there is none; malloc's. NULL: no memory, or of no kind that is used. */
char *whittle_net_address_text(enum whittle_net_transport transport, const struct whittle_net_name *name);
uint16_t whittle_net_name_port(const struct whittle_net_name *name);
/* A path's name. */
void whittle_net_path_name(const char *path, struct whittle_net_name *name);
/* SOCK_STREAM or SOCK_DGRAM. */
int whittle_net_socket_type(enum whittle_net_transport transport);
#endif
