/* SPDX-License-Identifier: MIT-0 */
/* Peers that play a part: scripted.h. */
#include "scripted.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static void *run(void *opaque)
{
    struct scripted *const scripted = (struct scripted *)opaque;
    if (scripted->datagrams) {
        scripted->play(scripted->fd, 0);
        return NULL;
    }
    for (int turn = 0;; turn++) {
        const int fd = accept(scripted->fd, NULL, NULL);
        if (fd < 0)
            return NULL;
        const int yes = 1;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        scripted->play(fd, turn);
        close(fd);
        __atomic_store_n(&scripted->ended, turn + 1, __ATOMIC_RELEASE);
    }
}

void scripted_open(struct scripted *scripted, bool datagrams, void (*play)(int fd, int turn))
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof name;
    scripted->fd = socket(AF_INET, datagrams ? SOCK_DGRAM : SOCK_STREAM, 0);
    scripted->play = play;
    scripted->ended = 0;
    scripted->datagrams = datagrams;
    CHECK(bind(scripted->fd, (struct sockaddr *)&name, sizeof name) == 0 && getsockname(scripted->fd, (struct sockaddr *)&name, &size) == 0);
    CHECK(datagrams || listen(scripted->fd, 100) == 0);
    snprintf(scripted->address, sizeof scripted->address, "%s://127.0.0.1:%u", datagrams ? "udp" : "tcp", (unsigned)ntohs(name.sin_port));
    CHECK(pthread_create(&scripted->thread, NULL, run, scripted) == 0);
}

void scripted_close(struct scripted *scripted)
{
    shutdown(scripted->fd, SHUT_RDWR);
    pthread_join(scripted->thread, NULL);
    close(scripted->fd);
}

void scripted_hung_up(struct scripted *scripted, int count)
{
    for (int tries = 0; __atomic_load_n(&scripted->ended, __ATOMIC_ACQUIRE) < count; tries++) {
        CHECK(tries < 4000);
        pause_for(5);
    }
}

static bool read_all(int fd, char *to, size_t size)
{
    while (size > 0) {
        struct pollfd watched = {fd, POLLIN, 0};
        CHECK(poll(&watched, 1, 20000) == 1);
        const ssize_t came = recv(fd, to, size, 0);
        if (came <= 0)
            return false;
        to += came;
        size -= (size_t)came;
    }
    return true;
}

uint32_t scripted_hear(int fd)
{
    char mark[4], record[4096];
    if (!read_all(fd, mark, 4))
        return 0;
    const uint32_t size = whittle_get32(mark) & 0x7fffffff;
    CHECK(size <= sizeof record);
    return read_all(fd, record, size) ? whittle_get32(record) : 0;
}

void scripted_write(int fd, const void *bytes, size_t size)
{
    const char *at = (const char *)bytes;
    while (size > 0) {
        const ssize_t sent = send(fd, at, size, MSG_NOSIGNAL);
        if (sent <= 0)
            return;
        at += sent;
        size -= (size_t)sent;
    }
}

void scripted_say(int fd, const uint32_t *words, size_t count)
{
    char record[4096];
    CHECK(4 * count + 4 <= sizeof record);
    whittle_put32(record, 0x80000000u | (uint32_t)(4 * count));
    for (size_t index = 0; index < count; index++)
        whittle_put32(record + 4 + 4 * index, words[index]);
    scripted_write(fd, record, 4 + 4 * count);
}

void scripted_answer(int fd, uint32_t xid)
{
    const uint32_t words[] = {xid, 1, 0, 0, 0, 0};
    scripted_say(fd, words, 6);
}

int peer_connect(const char *address)
{
    const struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                                     .sin_port = htons((uint16_t)atoi(strrchr(address, ':') + 1))};
    const int fd = socket(AF_INET, strncmp(address, "udp", 3) == 0 ? SOCK_DGRAM : SOCK_STREAM, 0), yes = 1;
    CHECK(fd >= 0 && connect(fd, (const struct sockaddr *)&name, sizeof name) == 0);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return fd;
}

size_t peer_call(char *to, uint32_t xid, uint32_t procedure, const uint32_t *arguments, size_t count)
{
    const uint32_t words[] = {0x80000000u | (uint32_t)(40 + 4 * count), xid, 0, 2, SAMPLE_PROGRAM, SAMPLE_ONE, procedure, 0, 0, 0, 0};
    for (size_t index = 0; index < 11; index++)
        whittle_put32(to + 4 * index, words[index]);
    for (size_t index = 0; index < count; index++)
        whittle_put32(to + 44 + 4 * index, arguments[index]);
    return 44 + 4 * count;
}

size_t peer_read(int fd, uint32_t *words, size_t most)
{
    char mark[4], record[4096];
    if (!read_all(fd, mark, 4))
        return 0;
    const uint32_t size = whittle_get32(mark) & 0x7fffffff;
    CHECK(size <= sizeof record && size / 4 <= most);
    if (!read_all(fd, record, size))
        return 0;
    for (uint32_t index = 0; index < size / 4; index++)
        words[index] = whittle_get32(record + 4 * (size_t)index);
    return size / 4;
}

bool peer_ends(int fd, int milliseconds)
{
    char rest[65536];
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (;;) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        const long past = (now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000;
        struct pollfd watched = {fd, POLLIN, 0};
        if (past >= milliseconds || poll(&watched, 1, milliseconds - (int)past) != 1)
            return false;
        const ssize_t came = recv(fd, rest, sizeof rest, 0);
        if (came == 0 || (came < 0 && errno != EINTR))
            return true;
    }
}

void pause_for(int milliseconds)
{
    const struct timespec span = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    nanosleep(&span, NULL);
}
