/* SPDX-License-Identifier: MIT-0 */
/* To an address in time: socket.h. */
#include "socket.h"
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static int whittle_net_connect_failure(int problem)
{
    switch (problem) {
    case EAGAIN:        /* a Unix socket whose queue is full */
    case ECONNREFUSED:
    case ENOENT: return WHITTLE_NET_REFUSED;
    case ETIMEDOUT: return WHITTLE_NET_TIMED_OUT;
    case ECANCELED: return WHITTLE_NET_CANCELLED;
    case ENOMEM:
    case ENOBUFS:
    case EMFILE:
    case ENFILE: return WHITTLE_NET_NO_MEMORY;
    default: return WHITTLE_NET_UNREACHABLE;
    }
}

int whittle_net_connect_begin(const struct whittle_net_name *name, int type)
{
    const int fd = socket(name->storage.ss_family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || connect(fd, (const struct sockaddr *)&name->storage, name->size) == 0 || errno == EINPROGRESS || errno == EINTR)
        return fd;
    const int problem = errno;
    close(fd);
    errno = problem;
    return -1;
}

/* Where nobody listens at a port of this machine's that the kernel also gives to those who connect, one may reach itself. */
static bool whittle_net_is_itself(int fd)
{
    struct whittle_net_name own = {.size = sizeof own.storage}, peer = {.size = sizeof peer.storage};
    return getsockname(fd, (struct sockaddr *)&own.storage, &own.size) == 0 && own.storage.ss_family != AF_UNIX &&
        getpeername(fd, (struct sockaddr *)&peer.storage, &peer.size) == 0 &&
        own.size == peer.size && memcmp(&own.storage, &peer.storage, own.size) == 0;
}

int whittle_net_connect_end(int fd, int type)
{
    int problem = 0;
    socklen_t length = sizeof problem;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &problem, &length) != 0)
        return errno;
    return problem == 0 && type == SOCK_STREAM && whittle_net_is_itself(fd) ? ECONNREFUSED : problem;
}

/* Slice by slice, until it is connected: 0, or why it is not. */
static int whittle_net_wait_connected(int fd, int type, const struct whittle_net_limits *limits)
{
    for (;;) {
        if (whittle_net_is_cancelled(limits))
            return ECANCELED;
        const int found = whittle_net_wait_for(fd, POLLOUT, whittle_net_sooner(limits->deadline, whittle_net_now() + WHITTLE_NET_SLICE));
        if (found != 0)
            return found < 0 ? errno : whittle_net_connect_end(fd, type);
        if (whittle_net_is_over(limits->deadline))
            return ETIMEDOUT;
    }
}

int whittle_net_connect_name(const struct whittle_net_name *name, int type, const struct whittle_net_limits *limits)
{
    const int fd = whittle_net_connect_begin(name, type);
    if (fd < 0)
        return whittle_net_connect_failure(errno);
    const int problem = whittle_net_wait_connected(fd, type, limits);
    if (problem == 0)
        return fd;
    close(fd);
    return whittle_net_connect_failure(problem);
}

int whittle_net_tune(int fd, enum whittle_net_transport transport)
{
    const struct timeval slice = {0, (suseconds_t)(WHITTLE_NET_SLICE / 1000)};
    const int yes = 1;
    if (fd < 0)
        return fd;
    if (fcntl(fd, F_SETFL, 0) != 0 || setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &slice, sizeof slice) != 0
        || setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &slice, sizeof slice) != 0) {
        close(fd);      /* without, a wait would have no end */
        return WHITTLE_NET_NO_MEMORY;
    }
    if (transport == WHITTLE_NET_TCP)
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return fd;
}

/* Who does not answer has the time that is left for all that may be tried behind it in equal shares. */
static uint64_t whittle_net_share_of(int left, uint64_t deadline)
{
    const uint64_t now = whittle_net_now();
    const uint64_t span = deadline == 0 ? 10000 * WHITTLE_NET_MILLISECOND : deadline > now ? deadline - now : 0;
    return left < 2 ? deadline : now + span / (uint64_t)left;
}

int whittle_net_connect(const struct whittle_net_address *address, uint16_t port, const struct whittle_net_limits *limits)
{
    struct whittle_net_name names[WHITTLE_NET_NAMES];
    const int type = whittle_net_socket_type(address->transport);
    int count = 1;
    if (address->transport == WHITTLE_NET_UNIX)
        whittle_net_path_name(address->host, &names[0]);
    else
        count = whittle_net_resolve(address->host, port, type, limits, names);
    int fd = count;
    for (int index = 0; index < count && (index == 0 || fd < 0) && fd != WHITTLE_NET_CANCELLED; index++) {
        const struct whittle_net_limits share = {whittle_net_share_of(count - index, limits->deadline), limits->epochs, limits->epoch};
        const int before = fd;
        fd = whittle_net_connect_name(&names[index], type, &share);
        /* That one address has nobody says more than that another cannot be reached. */
        if (fd == WHITTLE_NET_UNREACHABLE && index > 0)
            fd = before;
    }
    return whittle_net_tune(fd, address->transport);
}
