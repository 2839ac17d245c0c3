/* SPDX-License-Identifier: MIT-0 */
/*
 * Where an edge's ends meet: a TCP port that follows from the first port and the edge's number, or a socket in the flow's
 * directory. In goes the edge, out comes a listening socket, or the name to connect to.
 */
#include "parts.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <string.h>
#include <unistd.h>

/* The receiver's machine; NULL: this one. */
const char *whittle_flow_host(const struct whittle_flow_link *link)
{
    return link->carrier->here ? NULL : link->edge->host;
}

/* Both ends are on this machine. */
bool whittle_flow_is_near(const struct whittle_flow_link *link)
{
    return !whittle_flow_carriage(link->edge)->by_port || whittle_flow_host(link) == NULL;
}

uint16_t whittle_flow_port(const struct whittle_flow_link *link)
{
    return (uint16_t)(link->carrier->port + link->edge->number);
}

/* What every TCP connection of a flow has: no delay, and a death that is noticed within half a minute. */
void whittle_flow_tune(const struct whittle_flow_link *link, int fd)
{
    const int on = 1, idle = 5, interval = 5, count = 4, patience = 25000;
    if (!whittle_flow_carriage(link->edge)->by_port)
        return;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &patience, sizeof patience);
}

/* A socket of the flow's directory, which may be deeper than a socket's name is long: so it is named by its descriptor. */
static const char *whittle_flow_local_path(const struct whittle_flow_link *link, char path[64])
{
    snprintf(path, 64, "/proc/self/fd/%d/%u.socket", link->carrier->directory_fd, link->edge->number);
    return path;
}

void whittle_flow_local_name(const struct whittle_flow_link *link, struct whittle_net_name *name)
{
    char path[64];
    whittle_net_path_name(whittle_flow_local_path(link, path), name);
}

static int whittle_flow_listen_locally(struct whittle_flow_link *link)
{
    char path[64];
    struct whittle_net_name name;
    const char *const file = strrchr(whittle_flow_local_path(link, path), '/') + 1;
    /* A socket of an earlier process: the page's lock says that it is gone. */
    unlinkat(link->carrier->directory_fd, file, 0);
    const int fd = whittle_net_bind(&(struct whittle_net_address){.transport = WHITTLE_NET_UNIX, .host = path}, &name);
    if (fd < 0)
        whittle_flow_say(link, "cannot listen on %s/%s: %s", link->carrier->directory, file, strerror(errno));
    return fd;
}

/* Where the receiver listens: the address that --listen names; the host that the flow names; else the loopback. */
static const char *whittle_flow_listen_host(const struct whittle_flow_link *link)
{
    if (link->carrier->listen != NULL)
        return link->carrier->listen;
    return whittle_flow_host(link) != NULL ? whittle_flow_host(link) : "127.0.0.1";
}

/* `::` stands for every address, IPv4's, too: the network run time takes no host for that. */
static bool whittle_flow_is_any(const char *host)
{
    struct in6_addr six;
    return inet_pton(AF_INET6, host, &six) == 1 && IN6_IS_ADDR_UNSPECIFIED(&six);
}

int whittle_flow_listen(struct whittle_flow_link *link)
{
    if (!whittle_flow_carriage(link->edge)->by_port)
        return whittle_flow_listen_locally(link);
    const char *const host = whittle_flow_listen_host(link);
    const struct whittle_net_address address = {.transport = WHITTLE_NET_TCP, .host = whittle_flow_is_any(host) ? NULL : (char *)host,
                                                .port = whittle_flow_port(link)};
    struct whittle_net_name name;
    const int fd = whittle_net_bind(&address, &name);
    if (fd < 0 && errno == EADDRNOTAVAIL)
        whittle_flow_say(link, "cannot listen at %s: that is no address of this machine: name one that is with --listen or "
            "WHITTLE_LISTEN (`::` for all of them)", host);
    else if (fd < 0)
        whittle_flow_say(link, "cannot listen on port %u of %s: %s: choose another first port with --port or WHITTLE_PORT, the same "
            "for every process of the flow", (unsigned)whittle_flow_port(link), host, strerror(errno));
    return fd;
}
