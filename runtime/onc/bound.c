/* SPDX-License-Identifier: MIT-0 */
/* Sockets that listen: bound to an address, or to a path that nobody listens at any more; and those that were bound before. */
#include "address.h"
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* A path that nobody listens at any more is in the way. */
static void whittle_onc_path_clear(const struct whittle_onc_name *name)
{
    struct sockaddr_un local;
    struct stat status;
    memcpy(&local, &name->storage, sizeof local);
    if (local.sun_path[0] == 0 || stat(local.sun_path, &status) != 0 || !S_ISSOCK(status.st_mode))
        return;
    const struct whittle_onc_patience little = {.until = whittle_onc_now() + WHITTLE_ONC_SLICE};
    const int fd = whittle_onc_connect_one(AF_UNIX, SOCK_STREAM, (const struct sockaddr *)&name->storage, name->size, &little);
    if (fd >= 0)
        close(fd);
    else if (fd == WHITTLE_ONC_REFUSED)
        unlink(local.sun_path);
}

/* The options of one that datagrams come to: to answer from the address that was called. */
static void whittle_onc_tell_place(int fd, int family)
{
    const int yes = 1;
    if (family == AF_INET)
        setsockopt(fd, IPPROTO_IP, IP_PKTINFO, &yes, sizeof yes);
    else if (family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_RECVPKTINFO, &yes, sizeof yes);
}

static int whittle_onc_listen_one(int family, int type, const struct sockaddr *name, socklen_t size, bool both)
{
    const int yes = 1, no = 0;
    const int fd = socket(family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -1;
    if (type == SOCK_STREAM)
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    else
        whittle_onc_tell_place(fd, family);
    if (family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, both ? &no : &yes, sizeof no);
    if (bind(fd, name, size) == 0 && (type != SOCK_STREAM || listen(fd, SOMAXCONN) == 0))
        return fd;
    const int problem = errno;
    close(fd);
    errno = problem;
    return -1;
}

/* Without a host: IPv6's socket hears IPv4, too, where there is IPv6. */
static int whittle_onc_listen_ip(const struct whittle_onc_address *address)
{
    const char *const hosts[] = {address->host == NULL ? "::" : address->host, address->host == NULL ? "0.0.0.0" : NULL};
    int fd = -1;
    errno = EADDRNOTAVAIL;
    for (size_t index = 0; index < 2 && hosts[index] != NULL && fd < 0; index++) {
        struct addrinfo *const all = whittle_onc_addresses(address, hosts[index], address->port, AI_PASSIVE);
        for (const struct addrinfo *each = all; each != NULL && fd < 0; each = each->ai_next)
            fd = whittle_onc_listen_one(each->ai_family, whittle_onc_socket_type(address), each->ai_addr, each->ai_addrlen, address->host == NULL);
        if (all != NULL)
            freeaddrinfo(all);
    }
    return fd;
}

int whittle_onc_listen_at(const struct whittle_onc_address *address, struct whittle_onc_name *name)
{
    int fd;
    if (address->transport == WHITTLE_ONC_UNIX) {
        whittle_onc_path_name(address, name);
        whittle_onc_path_clear(name);
        fd = whittle_onc_listen_one(AF_UNIX, SOCK_STREAM, (const struct sockaddr *)&name->storage, name->size, false);
        return fd < 0 ? WHITTLE_ONC_CANNOT_LISTEN : fd;
    }
    fd = whittle_onc_listen_ip(address);
    name->size = sizeof name->storage;
    if (fd < 0 || getsockname(fd, (struct sockaddr *)&name->storage, &name->size) != 0)
        return WHITTLE_ONC_CANNOT_LISTEN;
    return fd;
}

int whittle_onc_listening(int fd, enum whittle_onc_transport *transport, struct whittle_onc_name *name)
{
    int type = 0;
    socklen_t length = sizeof type;
    name->size = sizeof name->storage;
    if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length) != 0 || getsockname(fd, (struct sockaddr *)&name->storage, &name->size) != 0)
        return WHITTLE_ONC_CANNOT_LISTEN;
    const int family = name->storage.ss_family;
    const bool datagrams = type == SOCK_DGRAM;
    *transport = family == AF_UNIX ? WHITTLE_ONC_UNIX : datagrams ? WHITTLE_ONC_UDP : WHITTLE_ONC_TCP;
    if (datagrams)
        whittle_onc_tell_place(fd, family);
    const bool unbound = family != AF_UNIX && whittle_onc_name_port(name) == 0;
    if ((unbound && bind(fd, (const struct sockaddr *)&name->storage, name->size) != 0) || (!datagrams && listen(fd, SOMAXCONN) != 0))
        return WHITTLE_ONC_CANNOT_LISTEN;
    name->size = sizeof name->storage;
    if (getsockname(fd, (struct sockaddr *)&name->storage, &name->size) != 0 || fcntl(fd, F_SETFL, O_NONBLOCK) != 0)
        return WHITTLE_ONC_CANNOT_LISTEN;
    return WHITTLE_ONC_OK;
}
