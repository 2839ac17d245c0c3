/* SPDX-License-Identifier: MIT-0 */
/* Sockets that listen: bound to an address, or to a path that nobody listens at any more; those that were bound before; who knocks. */
#include "socket.h"
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

uint64_t whittle_net_path_mark(const struct whittle_net_name *name)
{
    struct sockaddr_un local;
    struct stat status;
    memcpy(&local, &name->storage, sizeof local);
    return local.sun_path[0] == 0 || lstat(local.sun_path, &status) != 0 ? 0 : (uint64_t)status.st_ino ^ (uint64_t)status.st_dev << 40;
}

/* A path that nobody listens at any more is in the way. Who has a full queue, and refuses others for now, is there. */
static void whittle_net_path_clear(const struct whittle_net_name *name)
{
    struct sockaddr_un local;
    struct stat status;
    memcpy(&local, &name->storage, sizeof local);
    if (local.sun_path[0] == 0 || lstat(local.sun_path, &status) != 0 || !S_ISSOCK(status.st_mode))
        return;
    const int fd = whittle_net_connect_begin(name, SOCK_STREAM);    /* a Unix socket's is done at once */
    if (fd >= 0)
        close(fd);
    else if (errno == ECONNREFUSED)
        unlink(local.sun_path);
}

/* The options of one that datagrams come to: to answer from the address that was called; room for a burst. */
static void whittle_net_tune_datagrams(int fd, int family)
{
    const int yes = 1, room = 4 * 1024 * 1024;
    if (family == AF_INET)
        setsockopt(fd, IPPROTO_IP, IP_PKTINFO, &yes, sizeof yes);
    else if (family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_RECVPKTINFO, &yes, sizeof yes);
    if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room) != 0)
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
}

static int whittle_net_bind_name(const struct whittle_net_name *name, int type, bool both)
{
    const int yes = 1, no = 0, family = name->storage.ss_family;
    const int fd = socket(family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -1;
    if (type == SOCK_STREAM)
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    else
        whittle_net_tune_datagrams(fd, family);
    if (family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, both ? &no : &yes, sizeof no);
    if (bind(fd, (const struct sockaddr *)&name->storage, name->size) == 0 && (type != SOCK_STREAM || listen(fd, SOMAXCONN) == 0))
        return fd;
    const int problem = errno;
    close(fd);
    errno = problem;
    return -1;
}

/* Without a host: IPv6's socket hears IPv4, too, where there is IPv6. */
static int whittle_net_bind_ip(const struct whittle_net_address *address)
{
    enum { PATIENCE = 10000 };  /* milliseconds for a name server */
    const char *const hosts[] = {address->host == NULL ? "::" : address->host, address->host == NULL ? "0.0.0.0" : NULL};
    const int type = whittle_net_socket_type(address->transport);
    struct whittle_net_name names[WHITTLE_NET_NAMES];
    int fd = -1;
    for (size_t index = 0; index < 2 && hosts[index] != NULL && fd < 0; index++) {
        const struct whittle_net_limits limits = {.deadline = whittle_net_now() + PATIENCE * WHITTLE_NET_MILLISECOND};
        const int count = whittle_net_resolve(hosts[index], address->port, type, &limits, names);
        if (count < 0)
            errno = EADDRNOTAVAIL;
        for (int each = 0; each < count && fd < 0; each++)
            fd = whittle_net_bind_name(&names[each], type, address->host == NULL);
    }
    return fd;
}

int whittle_net_bind(const struct whittle_net_address *address, struct whittle_net_name *name)
{
    if (address->transport == WHITTLE_NET_UNIX) {
        whittle_net_path_name(address->host, name);
        whittle_net_path_clear(name);
        return whittle_net_bind_name(name, SOCK_STREAM, false);
    }
    const int fd = whittle_net_bind_ip(address);
    name->size = sizeof name->storage;
    if (fd >= 0 && getsockname(fd, (struct sockaddr *)&name->storage, &name->size) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

bool whittle_net_adopt(int fd, enum whittle_net_transport *transport, struct whittle_net_name *name)
{
    int type = 0;
    socklen_t length = sizeof type;
    name->size = sizeof name->storage;
    if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length) != 0 || getsockname(fd, (struct sockaddr *)&name->storage, &name->size) != 0)
        return false;
    const int family = name->storage.ss_family;
    const bool datagrams = type == SOCK_DGRAM;
    *transport = family == AF_UNIX ? WHITTLE_NET_UNIX : datagrams ? WHITTLE_NET_UDP : WHITTLE_NET_TCP;
    if (datagrams)
        whittle_net_tune_datagrams(fd, family);
    const bool unbound = family != AF_UNIX && whittle_net_name_port(name) == 0;
    if ((unbound && bind(fd, (const struct sockaddr *)&name->storage, name->size) != 0) || (!datagrams && listen(fd, SOMAXCONN) != 0))
        return false;
    name->size = sizeof name->storage;
    return getsockname(fd, (struct sockaddr *)&name->storage, &name->size) == 0 && fcntl(fd, F_SETFL, O_NONBLOCK) == 0;
}

/* Nobody can be taken: who connects hears of it, instead of knocking for ever. */
static void whittle_net_turn_away(int listener, int *spare)
{
    if (*spare >= 0) {
        close(*spare);
        const int refused = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (refused >= 0)
            close(refused);
    }
    *spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

int whittle_net_accept(int listener, int *spare, struct whittle_net_name *peer)
{
    for (;;) {
        peer->size = sizeof peer->storage;
        const int fd = accept4(listener, (struct sockaddr *)&peer->storage, &peer->size, SOCK_CLOEXEC);
        if (fd >= 0 || (errno != EINTR && errno != ECONNABORTED)) {
            const int problem = errno;
            if (fd < 0 && spare != NULL && (problem == EMFILE || problem == ENFILE))
                whittle_net_turn_away(listener, spare);
            errno = problem;
            return fd;
        }
    }
}
