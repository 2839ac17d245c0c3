/* SPDX-License-Identifier: MIT-0 */
/* Sockets: to an address in time, and waiting for them. */
#include "address.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

uint64_t whittle_onc_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

int whittle_onc_wait_for(int fd, short events, uint64_t until)
{
    for (;;) {
        int patience = -1;
        if (until != 0) {
            const uint64_t now = whittle_onc_now();
            const uint64_t left = now < until ? (until - now + WHITTLE_ONC_MILLISECOND - 1) / WHITTLE_ONC_MILLISECOND : 0;
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

int whittle_onc_pieces_left(struct iovec **pieces, int count, size_t sent)
{
    while (count > 0 && sent >= (*pieces)->iov_len) {
        sent -= (*pieces)->iov_len;
        (*pieces)++;
        count--;
    }
    if (count > 0) {
        (*pieces)->iov_base = (char *)(*pieces)->iov_base + sent;
        (*pieces)->iov_len -= sent;
    }
    return count;
}

ssize_t whittle_onc_send_pieces(int fd, struct iovec *pieces, int count, int flags)
{
    if (count == 1)     /* the kernel has less to copy */
        return send(fd, pieces->iov_base, pieces->iov_len, flags | MSG_NOSIGNAL);
    const struct msghdr message = {.msg_iov = pieces, .msg_iovlen = (size_t)count};
    return sendmsg(fd, &message, flags | MSG_NOSIGNAL);
}

int whittle_onc_socket_type(const struct whittle_onc_address *address)
{
    return address->transport == WHITTLE_ONC_UDP ? SOCK_DGRAM : SOCK_STREAM;
}

struct addrinfo *whittle_onc_addresses(const struct whittle_onc_address *address, const char *host, uint16_t port, int flags)
{
    char service[8];
    struct addrinfo *found = NULL;
    const struct addrinfo hints = {.ai_socktype = whittle_onc_socket_type(address), .ai_flags = flags | AI_NUMERICSERV};
    snprintf(service, sizeof service, "%u", (unsigned)port);
    return getaddrinfo(host, service, &hints, &found) == 0 ? found : NULL;
}

void whittle_onc_path_name(const struct whittle_onc_address *address, struct whittle_onc_name *name)
{
    struct sockaddr_un local = {.sun_family = AF_UNIX};
    const size_t length = strlen(address->host);
    memcpy(local.sun_path, address->host, length);
    const bool hidden = local.sun_path[0] == '@';
    if (hidden)
        local.sun_path[0] = 0;
    memset(name, 0, sizeof *name);
    memcpy(&name->storage, &local, sizeof local);
    name->size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + !hidden);
}

static int whittle_onc_connect_status(int problem)
{
    switch (problem) {
    case ECONNREFUSED:
    case ENOENT: return WHITTLE_ONC_REFUSED;
    case ETIMEDOUT: return WHITTLE_ONC_TIMED_OUT;
    case ECANCELED: return WHITTLE_ONC_CANCELLED;
    case ENOMEM:
    case ENOBUFS:
    case EMFILE:
    case ENFILE: return WHITTLE_ONC_NO_MEMORY;
    default: return WHITTLE_ONC_UNREACHABLE;
    }
}

/* Slice by slice, until it is connected: 0, or why it is not. */
static int whittle_onc_wait_connected(int fd, const struct whittle_onc_patience *patience)
{
    int problem = 0;
    socklen_t length = sizeof problem;
    for (;;) {
        if (patience->epochs != NULL && __atomic_load_n(patience->epochs, __ATOMIC_RELAXED) != patience->epoch)
            return ECANCELED;
        const uint64_t slice = whittle_onc_now() + WHITTLE_ONC_SLICE;
        const bool last = patience->until != 0 && patience->until <= slice;
        const int found = whittle_onc_wait_for(fd, POLLOUT, last ? patience->until : slice);
        if (found < 0 || (found == 1 && getsockopt(fd, SOL_SOCKET, SO_ERROR, &problem, &length) != 0))
            return errno;
        if (found == 1)
            return problem;
        if (last)
            return ETIMEDOUT;
    }
}

/* Where nobody listens at a port of this machine's that the kernel also gives to those who connect, one may reach itself. */
static bool whittle_onc_is_itself(int fd, int family, int type)
{
    struct whittle_onc_name own = {.size = sizeof own.storage}, peer = {.size = sizeof peer.storage};
    if (type != SOCK_STREAM || family == AF_UNIX)
        return false;
    return getsockname(fd, (struct sockaddr *)&own.storage, &own.size) == 0 &&
        getpeername(fd, (struct sockaddr *)&peer.storage, &peer.size) == 0 &&
        own.size == peer.size && memcmp(&own.storage, &peer.storage, own.size) == 0;
}

int whittle_onc_connect_one(int family, int type, const struct sockaddr *name, socklen_t size, const struct whittle_onc_patience *patience)
{
    int problem = 0;
    const int fd = socket(family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return whittle_onc_connect_status(errno);
    if (connect(fd, name, size) != 0)
        problem = errno;
    if (problem == EINPROGRESS || problem == EINTR)
        problem = whittle_onc_wait_connected(fd, patience);
    if (problem == 0 && !whittle_onc_is_itself(fd, family, type))
        return fd;
    if (problem == 0)
        problem = ECONNREFUSED;
    close(fd);
    return whittle_onc_connect_status(problem == EAGAIN ? ECONNREFUSED : problem);
}

int whittle_onc_connected(int fd, enum whittle_onc_transport transport)
{
    const struct timeval slice = {0, (suseconds_t)(WHITTLE_ONC_SLICE / 1000)};
    const int yes = 1;
    if (fd < 0)
        return fd;
    fcntl(fd, F_SETFL, 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &slice, sizeof slice);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &slice, sizeof slice);
    if (transport == WHITTLE_ONC_TCP)
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return fd;
}

/* Who does not answer has the time that is left for all that may be asked behind it in equal shares. */
static uint64_t whittle_onc_share(const struct addrinfo *first, uint64_t until)
{
    const uint64_t now = whittle_onc_now(), span = until == 0 ? 10000 * WHITTLE_ONC_MILLISECOND : until > now ? until - now : 0;
    uint64_t count = 0;
    for (const struct addrinfo *each = first; each != NULL; each = each->ai_next)
        count++;
    return count < 2 ? until : now + span / count;
}

int whittle_onc_connect_to(const struct whittle_onc_address *address, uint16_t port, const struct whittle_onc_patience *patience)
{
    const int type = whittle_onc_socket_type(address);
    if (address->transport == WHITTLE_ONC_UNIX) {
        struct whittle_onc_name name;
        whittle_onc_path_name(address, &name);
        return whittle_onc_connected(whittle_onc_connect_one(AF_UNIX, type, (const struct sockaddr *)&name.storage, name.size, patience),
                                     address->transport);
    }
    struct addrinfo *const all = whittle_onc_addresses(address, address->host, port, 0);
    int fd = WHITTLE_ONC_UNKNOWN_HOST;
    for (const struct addrinfo *each = all; each != NULL && fd < 0 && fd != WHITTLE_ONC_CANCELLED; each = each->ai_next) {
        const struct whittle_onc_patience share = {whittle_onc_share(each, patience->until), patience->epochs, patience->epoch};
        const int before = fd;
        fd = whittle_onc_connect_one(each->ai_family, type, each->ai_addr, each->ai_addrlen, &share);
        /* That one address has nobody says more than that another cannot be reached. */
        if (fd == WHITTLE_ONC_UNREACHABLE && before != WHITTLE_ONC_UNKNOWN_HOST)
            fd = before;
    }
    if (all != NULL)
        freeaddrinfo(all);
    return whittle_onc_connected(fd, address->transport);
}

size_t whittle_onc_names_of(const struct whittle_onc_address *address, uint16_t port, struct whittle_onc_name *names, size_t most)
{
    struct addrinfo *const all = whittle_onc_addresses(address, address->host, port, 0);
    size_t count = 0;
    for (const struct addrinfo *each = all; each != NULL && count < most; each = each->ai_next) {
        memcpy(&names[count].storage, each->ai_addr, each->ai_addrlen);
        names[count++].size = each->ai_addrlen;
    }
    if (all != NULL)
        freeaddrinfo(all);
    return count;
}

int whittle_onc_connect_name(const struct whittle_onc_name *name)
{
    const struct sockaddr *const any = (const struct sockaddr *)&name->storage;
    const struct whittle_onc_patience at_once = {.until = 0};
    return whittle_onc_connected(whittle_onc_connect_one(any->sa_family, SOCK_DGRAM, any, name->size, &at_once), WHITTLE_ONC_UDP);
}
