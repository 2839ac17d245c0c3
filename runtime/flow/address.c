/* SPDX-License-Identifier: MIT-0 */
/*
 * Where an edge's ends meet: a TCP port that follows from the first port and the edge's number, or a socket in the flow's
 * directory. In goes the edge, out comes a listening or a connecting socket.
 */
#include "parts.h"
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

enum { WHITTLE_FLOW_BACKLOG = 128 };

/* The directory may be deeper than a socket's name is long: so it is named by its descriptor. */
static socklen_t whittle_flow_unix_address(const struct whittle_flow_link *link, struct sockaddr_un *address)
{
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    snprintf(address->sun_path, sizeof address->sun_path, "/proc/self/fd/%d/%u.socket", link->carrier->directory_fd,
        link->edge->number);
    return sizeof *address;
}

/* The receiver's machine; NULL: this one. */
const char *whittle_flow_host(const struct whittle_flow_link *link)
{
    return link->carrier->here ? NULL : link->edge->host;
}

/* Both ends are on this machine. */
bool whittle_flow_is_near(const struct whittle_flow_link *link)
{
    return link->edge->transport != WHITTLE_FLOW_TCP || whittle_flow_host(link) == NULL;
}

uint16_t whittle_flow_port(const struct whittle_flow_link *link)
{
    return (uint16_t)(link->carrier->port + link->edge->number);
}

/* What every TCP connection of a flow has: no delay, and a death that is noticed within half a minute. */
void whittle_flow_tune(const struct whittle_flow_link *link, int fd)
{
    const int on = 1, idle = 5, interval = 5, count = 4, patience = 25000;
    if (link->edge->transport != WHITTLE_FLOW_TCP)
        return;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &patience, sizeof patience);
}

/* Where the receiver listens: the address that --listen names; the host that the flow names; else the loopback. */
static const char *whittle_flow_listen_host(const struct whittle_flow_link *link)
{
    if (link->carrier->listen != NULL)
        return link->carrier->listen;
    return whittle_flow_host(link) != NULL ? whittle_flow_host(link) : "127.0.0.1";
}

static int whittle_flow_listen_tcp(struct whittle_flow_link *link)
{
    const int on = 1, off = 0;
    const char *const host = whittle_flow_listen_host(link);
    const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    char port[8];
    int problem = EADDRNOTAVAIL;
    struct addrinfo *found = NULL;
    snprintf(port, sizeof port, "%u", (unsigned)whittle_flow_port(link));
    if (getaddrinfo(host, port, &hints, &found) != 0)
        found = NULL;
    for (const struct addrinfo *way = found; way != NULL; way = way->ai_next) {
        const int fd = socket(way->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (fd < 0)
            continue;
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        if (way->ai_family == AF_INET6)
            setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
        if (bind(fd, way->ai_addr, way->ai_addrlen) == 0 && listen(fd, WHITTLE_FLOW_BACKLOG) == 0) {
            freeaddrinfo(found);
            return fd;
        }
        problem = errno;
        close(fd);
    }
    if (found != NULL)
        freeaddrinfo(found);
    if (problem == EADDRNOTAVAIL)
        whittle_flow_say(link, "cannot listen at %s: that is no address of this machine: name one that is with --listen or "
            "WHITTLE_LISTEN (`::` for all of them)", host);
    else
        whittle_flow_say(link, "cannot listen on port %u of %s: %s: choose another first port with --port or WHITTLE_PORT, the same "
            "for every process of the flow", (unsigned)whittle_flow_port(link), host, strerror(problem));
    return -1;
}

int whittle_flow_listen(struct whittle_flow_link *link)
{
    struct sockaddr_un address;
    char name[32];
    if (link->edge->transport == WHITTLE_FLOW_TCP)
        return whittle_flow_listen_tcp(link);
    /* A socket of an earlier process: the page's lock says that it is gone. */
    snprintf(name, sizeof name, "%u.socket", link->edge->number);
    unlinkat(link->carrier->directory_fd, name, 0);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const socklen_t length = whittle_flow_unix_address(link, &address);
    if (fd >= 0 && bind(fd, (struct sockaddr *)&address, length) == 0 && listen(fd, WHITTLE_FLOW_BACKLOG) == 0)
        return fd;
    whittle_flow_say(link, "cannot listen on %s/%s: %s", link->carrier->directory, name, strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

/* Begins to connect, over TCP to the address that is given; -1 where there is nothing to wait for. */
int whittle_flow_connect(struct whittle_flow_link *link, const struct sockaddr_storage *address, socklen_t length)
{
    struct sockaddr_un local;
    const struct sockaddr *to = (const struct sockaddr *)address;
    if (link->edge->transport != WHITTLE_FLOW_TCP) {
        length = whittle_flow_unix_address(link, &local);
        to = (const struct sockaddr *)&local;
    }
    const int fd = socket(to->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -1;
    whittle_flow_tune(link, fd);
    if (connect(fd, to, length) == 0 || errno == EINPROGRESS)
        return fd;
    close(fd);
    return -1;
}
