/* SPDX-License-Identifier: MIT-0 */
/* Sockets: to an endpoint in time, listening, and waiting for them. */
#include "connection.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

uint64_t whittle_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

int whittle_socket_wait(int fd, short events, uint64_t deadline)
{
    for (;;) {
        int patience = -1;
        if (deadline != 0) {
            const uint64_t now = whittle_now(), left = now < deadline ? (deadline - now + 999999u) / 1000000u : 0;
            patience = left > INT_MAX ? INT_MAX : (int)left;
        }
        struct pollfd watched = {.fd = fd, .events = events};
        const int found = poll(&watched, 1, patience);
        if (found >= 0)
            return found > 0;
        if (errno != EINTR)
            return -1;
    }
}

static struct addrinfo *whittle_addresses(const char *host, uint16_t port, int flags)
{
    char service[8];
    struct addrinfo *found = NULL;
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = flags | AI_NUMERICSERV};
    snprintf(service, sizeof service, "%u", (unsigned)port);
    return getaddrinfo(host, service, &hints, &found) == 0 ? found : NULL;
}

static bool whittle_connect_one(int fd, const struct addrinfo *address, uint64_t deadline, bool *late)
{
    int problem = 0;
    socklen_t length = sizeof problem;
    if (connect(fd, address->ai_addr, address->ai_addrlen) == 0)
        return true;
    if (errno != EINPROGRESS && errno != EINTR)
        return false;
    const int found = whittle_socket_wait(fd, POLLOUT, deadline);
    *late = *late || found == 0;
    return found == 1 && getsockopt(fd, SOL_SOCKET, SO_ERROR, &problem, &length) == 0 && problem == 0;
}

int whittle_socket_connect(const struct whittle_endpoint *endpoint, uint64_t deadline, bool *late)
{
    struct addrinfo *const addresses = whittle_addresses(endpoint->host, endpoint->port, 0);
    int fd = -1;
    const int yes = 1;
    for (const struct addrinfo *address = addresses; address != NULL && fd < 0 && !*late; address = address->ai_next) {
        fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (fd >= 0 && !whittle_connect_one(fd, address, deadline, late)) {
            close(fd);
            fd = -1;
        }
    }
    if (addresses != NULL)
        freeaddrinfo(addresses);
    if (fd < 0)
        return -1;
    /* Who waits for a reply waits in the kernel. */
    fcntl(fd, F_SETFL, 0);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return fd;
}

int whittle_socket_listen(const char *host, uint16_t port, uint16_t *chosen)
{
    struct addrinfo *const addresses = whittle_addresses(host, port, AI_PASSIVE);
    int fd = -1;
    const int yes = 1;
    for (const struct addrinfo *address = addresses; address != NULL && fd < 0; address = address->ai_next) {
        fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (fd < 0)
            continue;
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        if (bind(fd, address->ai_addr, address->ai_addrlen) != 0 || listen(fd, SOMAXCONN) != 0) {
            close(fd);
            fd = -1;
        }
    }
    if (addresses != NULL)
        freeaddrinfo(addresses);
    union { struct sockaddr any; struct sockaddr_in four; struct sockaddr_in6 six; } name = {.any.sa_family = AF_UNSPEC};
    socklen_t length = sizeof name;
    if (fd >= 0 && getsockname(fd, &name.any, &length) == 0)
        *chosen = ntohs(name.any.sa_family == AF_INET6 ? name.six.sin6_port : name.four.sin_port);
    return fd;
}
