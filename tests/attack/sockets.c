/* SPDX-License-Identifier: MIT-0 */
/* Sockets, time and chance of attackers. In: the server's address. Out: bytes that go and come, and counts of them. */
#include "attacker.h"
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <time.h>

uint64_t now(void)
{
    struct timespec moment;
    clock_gettime(CLOCK_MONOTONIC, &moment);
    return (uint64_t)moment.tv_sec * 1000000 + (uint64_t)moment.tv_nsec / 1000;
}

bool goes_on(void)
{
    return now() < aim.until;
}

void pause_for(uint32_t milliseconds)
{
    const struct timespec time = {milliseconds / 1000, (long)(milliseconds % 1000) * 1000000};
    nanosleep(&time, NULL);
}

/* xorshift64*: Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled". */
uint32_t random_below(struct attacker *attacker, uint32_t bound)
{
    attacker->random ^= attacker->random >> 12;
    attacker->random ^= attacker->random << 25;
    attacker->random ^= attacker->random >> 27;
    return bound == 0 ? 0 : (uint32_t)((attacker->random * 0x2545f4914f6cdd1dull) >> 32) % bound;
}

int to_server(void)
{
    const int fd = socket(aim.address.ss_family, (aim.datagrams ? SOCK_DGRAM : SOCK_STREAM) | SOCK_CLOEXEC, 0);
    const int yes = 1;
    if (fd < 0)
        return -1;
    const struct timeval limit = {1, 0};
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    if (connect(fd, (const struct sockaddr *)&aim.address, aim.address_size) != 0) {
        atomic_fetch_add(&aim.refused, 1);
        close(fd);
        return -1;
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    atomic_fetch_add(&aim.connections, 1);
    return fd;
}

ssize_t put_some(int fd, const void *bytes, size_t size)
{
    const ssize_t done = send(fd, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    return done >= 0 ? done : errno == EAGAIN || errno == EINTR || errno == ENOBUFS ? 0 : -1;
}

bool put(int fd, const void *bytes, size_t size)
{
    for (size_t at = 0; at < size && goes_on();) {
        const ssize_t done = put_some(fd, (const char *)bytes + at, size - at);
        if (done < 0)
            return false;
        at += (size_t)done;
        struct pollfd wait = {.fd = fd, .events = POLLOUT};
        if (done == 0)
            poll(&wait, 1, 20);
    }
    return true;
}

bool drain(int fd)
{
    char bytes[65536];
    for (;;) {
        const ssize_t got = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
        if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
            return false;
        if (got < 0)
            return true;
    }
}

bool reply_comes(int fd, uint32_t milliseconds)
{
    char bytes[4096];
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    if (poll(&wait, 1, (int)milliseconds) <= 0)
        return false;
    const bool came = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT) > 0;
    atomic_fetch_add(came ? &aim.replies : &aim.refused, 1);
    return came;
}

void reset(int fd)
{
    const struct linger at_once = {1, 0};
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close(fd);
}

void leave(struct attacker *attacker, int fd)
{
    if (random_below(attacker, 2) == 0)
        reset(fd);
    else
        close(fd);
}

void ask(const struct bytes *message, uint32_t milliseconds)
{
    const int fd = to_server();
    if (fd < 0)
        return;
    atomic_fetch_add(&aim.calls, 1);
    if (put(fd, message->at, message->size))
        reply_comes(fd, milliseconds);
    close(fd);
}

void ask_again_and_again(const struct bytes *message)
{
    while (goes_on()) {
        const int fd = to_server();
        if (fd < 0)
            continue;
        atomic_fetch_add(&aim.calls, 1);
        if (put(fd, message->at, message->size))
            while (goes_on() && drain(fd) && !reply_comes(fd, 50))
                ;
        close(fd);
    }
}
