/* SPDX-License-Identifier: MIT-0 */
/* Attacks that make a server wait or work: bytes now and then, jobs of connections that are gone, peers that are stopped. */
#include "attacker.h"
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

/* Many connections, each sends its request byte by byte. */
static void slow_headers(struct attacker *attacker)
{
    enum { COUNT = 100 };
    struct bytes bytes = {NULL, 0, 0};
    int all[COUNT];
    size_t at[COUNT] = {0};
    (void)attacker;
    request_word(&bytes, 1, NOTHING, 0);
    memset(all, 0xff, sizeof all);
    while (goes_on()) {
        for (int index = 0; index < COUNT; index++) {
            if (all[index] < 0)
                all[index] = to_server(), at[index] = 0;
            else if (put_some(all[index], bytes.at + at[index]++ % bytes.size, 1) < 0 || !drain(all[index]))
                close(all[index]), all[index] = -1;
        }
        pause_for(20);
    }
    for (int index = 0; index < COUNT; index++)
        close(all[index]);
    bytes_free(&bytes);
}

/* Large replies, read a byte now and then. */
static void slow_reading(struct attacker *attacker)
{
    enum { COUNT = 60 };
    struct bytes bytes = {NULL, 0, 0};
    int all[COUNT];
    (void)attacker;
    for (uint32_t index = 0; index < 8; index++)
        request_word(&bytes, index, LARGE, 4 << 20);
    memset(all, 0xff, sizeof all);
    while (goes_on()) {
        for (int index = 0; index < COUNT; index++) {
            char byte;
            if (all[index] < 0) {
                const int small = 2048;
                all[index] = to_server();
                setsockopt(all[index], SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
                put_some(all[index], bytes.at, bytes.size);
                atomic_fetch_add(&aim.calls, 8);
            } else if (recv(all[index], &byte, 1, MSG_DONTWAIT) == 0) {
                close(all[index]), all[index] = -1;
            }
        }
        pause_for(40);
    }
    for (int index = 0; index < COUNT; index++)
        close(all[index]);
    bytes_free(&bytes);
}

/* A part of a request, and then nothing, or the end. */
static void half_messages(struct attacker *attacker)
{
    struct bytes bytes = {NULL, 0, 0};
    request_blob(&bytes, 1, 3000);
    while (goes_on()) {
        const int fd = to_server();
        if (fd < 0)
            continue;
        put(fd, bytes.at, random_below(attacker, (uint32_t)bytes.size));
        const uint32_t end = random_below(attacker, 3);
        if (end == 0)
            shutdown(fd, SHUT_WR), reply_comes(fd, 2);
        if (end == 1)
            reset(fd);
        else
            close(fd);
    }
    bytes_free(&bytes);
}

/* Slow procedures asked for, and gone: what nobody waits for is not to be executed. */
static void gone_jobs(struct attacker *attacker)
{
    struct bytes bytes = {NULL, 0, 0};
    for (uint32_t index = 0; index < 200; index++)
        request_word(&bytes, index, SLOW, 20);
    while (goes_on()) {
        const int fd = to_server();
        if (fd < 0)
            continue;
        put(fd, bytes.at, bytes.size);
        atomic_fetch_add(&aim.calls, 200);
        pause_for(1 + random_below(attacker, 30));
        leave(attacker, fd);
    }
    bytes_free(&bytes);
}

/* One request after the other, and gone before the reply. */
static void close_after_request(struct attacker *attacker)
{
    struct bytes bytes = {NULL, 0, 0};
    request_word(&bytes, 1, LARGE, 100000);
    while (goes_on()) {
        const int fd = to_server();
        if (fd < 0)
            continue;
        put(fd, bytes.at, bytes.size);
        atomic_fetch_add(&aim.calls, 1);
        leave(attacker, fd);
    }
    bytes_free(&bytes);
}

/* Honest requests, cut anywhere and reset, with parts of replies read. */
static void random_resets(struct attacker *attacker)
{
    struct bytes bytes = {NULL, 0, 0};
    for (uint32_t index = 0; index < 40; index++)
        if (index % 4 == 3)
            request_blob(&bytes, index, 100 * index);
        else
            request_word(&bytes, index, index % 2 == 0 ? NOTHING : LARGE, 5000 * index);
    while (goes_on()) {
        const int fd = to_server();
        if (fd < 0)
            continue;
        const size_t end = random_below(attacker, (uint32_t)bytes.size);
        for (size_t at = 0; at < end;) {
            const size_t piece = 1 + random_below(attacker, 4000);
            if (!put(fd, bytes.at + at, at + piece > end ? end - at : piece))
                break;
            at += piece;
            if (random_below(attacker, 3) == 0)
                reply_comes(fd, random_below(attacker, 3));
        }
        reset(fd);
    }
    bytes_free(&bytes);
}

/* Processes that ask for large replies and are stopped by a signal. */
static void stopped_peers(struct attacker *attacker)
{
    enum { COUNT = 30 };
    pid_t all[COUNT];
    struct bytes bytes = {NULL, 0, 0};
    (void)attacker;
    for (uint32_t index = 0; index < 30; index++)
        request_word(&bytes, index, LARGE, 1 << 20);
    for (int index = 0; index < COUNT; index++)
        if ((all[index] = fork()) == 0) {
            const int fd = to_server();
            put_some(fd, bytes.at, bytes.size - 3);
            raise(SIGSTOP);
            _exit(0);
        }
    atomic_fetch_add(&aim.connections, COUNT);
    atomic_fetch_add(&aim.calls, 30 * COUNT);
    while (goes_on())
        pause_for(10);
    for (int index = 0; index < COUNT; index++) {
        kill(all[index], SIGKILL);
        waitpid(all[index], NULL, 0);
    }
    bytes_free(&bytes);
}

const struct attack attacks_of_time[] = {
    {"slow-headers", slow_headers, 1, "all", "", "100 connections whose requests come byte by byte"},
    {"slow-reading", slow_reading, 1, "all", "", "60 connections that read replies of 4 MB byte by byte"},
    {"half-messages", half_messages, 4, "all", "", "requests cut anywhere, then an end or a reset"},
    {"gone-jobs", gone_jobs, 2, "all", "", "200 slow calls at once, and the connection is gone"},
    {"close-after-request", close_after_request, 4, "all", "", "a request, and the connection is gone"},
    {"random-resets", random_resets, 4, "all", "", "honest requests in pieces, reset anywhere"},
    {"stopped-peers", stopped_peers, 1, "all", "", "30 processes that ask for large replies and are stopped"},
    {"stop-under-load", random_resets, 4, "all", "stop", "the server is told to stop in the midst of it"},
    {NULL, NULL, 0, NULL, NULL, NULL},
};
