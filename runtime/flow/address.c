/* SPDX-License-Identifier: MIT-0 */
/*
 * Where an edge's ends meet: the address that the flow says, or a TCP port that follows from the first port and an edge's number, or a socket in the flow's
 * directory. Edges that enter one process share one: the first one's. In goes the edge, out comes a listening socket, or
 * the name to connect to.
 */
#include "internal.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The receiver's machine; NULL: this one. */
const char *whittle_flow_host(const struct whittle_flow_link *link)
{
    return link->loop->here ? NULL : link->edge->host;
}

/* Both ends are on this machine. */
bool whittle_flow_is_near(const struct whittle_flow_link *link)
{
    return !whittle_flow_transport_of(link->edge)->by_port || whittle_flow_host(link) == NULL;
}

/* The number of the edge whose socket its connections come to. */
unsigned whittle_flow_socket_number(const struct whittle_flow_edge *edge)
{
    return edge->shares <= edge->number ? edge->number - edge->shares : edge->number;
}

uint16_t whittle_flow_port(const struct whittle_flow_link *link)
{
    if (link->edge->port != 0 && !link->loop->here)
        return link->edge->port;
    return (uint16_t)(link->loop->port + whittle_flow_socket_number(link->edge));
}

/* What every TCP connection of a flow has: no delay, and a death that is noticed within half a minute. */
void whittle_flow_tune(const struct whittle_flow_link *link, int fd)
{
    const int on = 1, idle = 5, interval = 5, count = 4, patience = 25000;
    if (!whittle_flow_transport_of(link->edge)->by_port)
        return;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &patience, sizeof patience);
}

/* Of a mux beside that: little waits in the system that has not gone, so that what another edge sends comes after little. */
void whittle_flow_tune_line(const struct whittle_flow_link *link, int fd)
{
    const int unsent = 262144;
    if (whittle_flow_transport_of(link->edge)->by_port)
        setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof unsent);
}

/* A socket of the flow's directory, which may be deeper than a socket's name is long: so it is named by its descriptor. */
static const char *whittle_flow_local_path(const struct whittle_flow_link *link, char path[64])
{
    snprintf(path, 64, "/proc/self/fd/%d/%u.socket", link->loop->directory_fd, whittle_flow_socket_number(link->edge));
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
    unlinkat(link->loop->directory_fd, file, 0);
    const int fd = whittle_net_bind(&(struct whittle_net_address){.transport = WHITTLE_NET_UNIX, .host = path}, &name);
    if (fd < 0)
        whittle_flow_log(link, "cannot listen on %s/%s: %s", link->loop->directory, file, strerror(errno));
    return fd;
}

/* Where the receiver listens: the address that --listen names; the host that the flow names; else the loopback. */
static const char *whittle_flow_listen_host(const struct whittle_flow_link *link)
{
    if (link->loop->listen != NULL)
        return link->loop->listen;
    return whittle_flow_host(link) != NULL ? whittle_flow_host(link) : "127.0.0.1";
}

/* `::` stands for every address, IPv4's, too: the network run time takes no host for that. */
static bool whittle_flow_is_any(const char *host)
{
    struct in6_addr six;
    return inet_pton(AF_INET6, host, &six) == 1 && IN6_IS_ADDR_UNSPECIFIED(&six);
}

static int whittle_flow_listen_at(struct whittle_flow_link *link)
{
    if (!whittle_flow_transport_of(link->edge)->by_port)
        return whittle_flow_listen_locally(link);
    const char *const host = whittle_flow_listen_host(link);
    const struct whittle_net_address address = {.transport = WHITTLE_NET_TCP, .host = whittle_flow_is_any(host) ? NULL : (char *)host,
                                                .port = whittle_flow_port(link)};
    struct whittle_net_name name;
    const int fd = whittle_net_bind(&address, &name);
    if (fd < 0 && errno == EADDRNOTAVAIL)
        whittle_flow_log(link, "cannot listen at %s: that is no address of this machine: name one that is with --listen or "
            "WHITTLE_LISTEN (`::` for all of them)", host);
    else if (fd < 0)
        whittle_flow_log(link, "cannot listen on port %u of %s: %s: choose another %s", (unsigned)whittle_flow_port(link), host, strerror(errno),
            link->edge->port != 0 && !link->loop->here ? "port for the edge in the flow" : "first port with --port or WHITTLE_PORT, the same for every process of the flow");
    return fd;
}

/* The receiver of an edge, where it is in this process and connections carry it. */
struct whittle_flow_link *whittle_flow_entering(const struct whittle_flow_event_loop *loop, uint32_t number)
{
    return number < loop->entering_count ? loop->entering[number] : NULL;
}

static bool whittle_flow_enters(const struct whittle_flow_link *link)
{
    return link->receiver != NULL && link->functions == NULL;
}

static bool whittle_flow_list_entering(struct whittle_flow_event_loop *loop)
{
    size_t count = 0;
    for (size_t n = 0; n < loop->link_count; n++)
        if (whittle_flow_enters(&loop->links[n]) && loop->links[n].edge->number >= count)
            count = loop->links[n].edge->number + (size_t)1;
    loop->entering = calloc(count > 0 ? count : 1, sizeof *loop->entering);
    if (loop->entering == NULL) {
        whittle_flow_log_process(loop->process, "no memory");
        return false;
    }
    loop->entering_count = count;
    for (size_t n = 0; n < loop->link_count; n++)
        if (whittle_flow_enters(&loop->links[n]))
            loop->entering[loop->links[n].edge->number] = &loop->links[n];
    return true;
}

/* Who listens for it: itself, or another edge's receiver in this process, at a socket of the same kind. */
static bool whittle_flow_find_listener(struct whittle_flow_link *link)
{
    const unsigned number = whittle_flow_socket_number(link->edge);
    struct whittle_flow_link *const listener = whittle_flow_entering(link->loop, number);
    if (listener == NULL || (listener != link && listener->edge->shares != 0) || whittle_flow_transport_of(listener->edge)->by_port != whittle_flow_transport_of(link->edge)->by_port) {
        whittle_flow_log(link, "it shares the socket of edge %u, which does not enter this process, or enters it by other means: build "
            "all of the flow from one file", number);
        return false;
    }
    link->listener = listener;
    listener->shared_socket |= listener != link;
    return true;
}

/* Listens for all edges that enter the process, at one socket for those that share it. False: said why. */
bool whittle_flow_listen(struct whittle_flow_event_loop *loop)
{
    bool done = whittle_flow_list_entering(loop);
    for (size_t n = 0; n < loop->entering_count && done; n++)
        done = loop->entering[n] == NULL || whittle_flow_find_listener(loop->entering[n]);
    for (size_t n = 0; n < loop->entering_count && done; n++) {
        struct whittle_flow_link *const link = loop->entering[n];
        if (link == NULL || link->listener != link)
            continue;
        link->listening.fd = whittle_flow_listen_at(link);
        done = link->listening.fd >= 0;
    }
    /* Senders of a channel on this machine see that somebody has come: see whittle_flow_fans_expect. */
    for (size_t n = 0; n < loop->entering_count && done; n++)
        if (loop->entering[n] != NULL && loop->entering[n]->edge->subscription)
            futimens(loop->entering[n]->page_fd, NULL);
    return done;
}

void whittle_flow_listen_end(struct whittle_flow_link *link)
{
    char name[32];
    if (link->listening.fd >= 0 && !whittle_flow_transport_of(link->edge)->by_port) {
        snprintf(name, sizeof name, "%u.socket", whittle_flow_socket_number(link->edge));
        unlinkat(link->loop->directory_fd, name, 0);
    }
    whittle_net_source_close(&link->loop->poller, &link->listening);
}
