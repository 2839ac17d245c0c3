/* SPDX-License-Identifier: MIT-0 */
/*
 * A client meets a server of shared memory: it makes the memory, passes it with its hello, and waits for the answer. Both sides ask
 * the system whose process the other is.
 */
#include "memory.h"
#include "sealed.h"
#include "socket.h"
#include <errno.h>
#include <poll.h>
#include <unistd.h>

enum { WHITTLE_NET_RING = 256 * 1024 };     /* bytes, each way */

/* A failure, or 0. */
static int whittle_net_await_answer(int fd, const struct whittle_net_limits *limits)
{
    struct whittle_net_memory_answer answer;
    for (int found = 0; found == 0;) {
        if (whittle_net_is_cancelled(limits))
            return WHITTLE_NET_CANCELLED;
        found = whittle_net_wait_for(fd, POLLIN, whittle_net_sooner(limits->deadline, whittle_net_now() + WHITTLE_NET_SLICE));
        if (found == 0 && whittle_net_is_over(limits->deadline))
            return WHITTLE_NET_TIMED_OUT;
    }
    const ssize_t came = recv(fd, &answer, sizeof answer, MSG_DONTWAIT);
    if (came <= 0)
        return WHITTLE_NET_REFUSED;     /* it ended meanwhile, or takes nobody now */
    if (came != (ssize_t)sizeof answer || memcmp(answer.name, whittle_net_greeting, sizeof answer.name) != 0)
        return WHITTLE_NET_OTHER_VERSION;
    switch (-(int)answer.verdict) {
    case WHITTLE_NET_OK: return answer.version == WHITTLE_NET_MEMORY_VERSION ? WHITTLE_NET_OK : WHITTLE_NET_OTHER_VERSION;
    case WHITTLE_NET_NO_MEMORY: return WHITTLE_NET_NO_MEMORY;
    case WHITTLE_NET_NOT_ALLOWED: return WHITTLE_NET_NOT_ALLOWED;
    default: return WHITTLE_NET_OTHER_VERSION;
    }
}

static int whittle_net_say_hello(int fd, const struct whittle_net_limits *limits, struct whittle_net_stream *stream)
{
    struct whittle_net_memory_hello hello = {.version = WHITTLE_NET_MEMORY_VERSION, .requests = WHITTLE_NET_RING, .replies = WHITTLE_NET_RING};
    memcpy(hello.name, whittle_net_greeting, sizeof hello.name);
    if (!whittle_net_is_own_user(fd))
        return WHITTLE_NET_NOT_ALLOWED;
    const int memory = whittle_net_sealed_make(whittle_net_memory_size(hello.requests, hello.replies), true);
    if (memory < 0)
        return WHITTLE_NET_NO_MEMORY;
    const bool passed = whittle_net_pass(fd, &hello, sizeof hello, memory);
    *stream = (struct whittle_net_stream){.carrier = &whittle_net_memory_carrier, .fd = fd};
    if (!whittle_net_memory_map(stream, memory, &hello, false))
        return WHITTLE_NET_NO_MEMORY;
    const int failure = passed ? whittle_net_await_answer(fd, limits) : (int)WHITTLE_NET_REFUSED;
    if (failure != WHITTLE_NET_OK)
        stream->carrier->end(stream);
    return failure;
}

int whittle_net_memory_connect(const char *path, const struct whittle_net_limits *limits, struct whittle_net_stream *stream)
{
    struct whittle_net_name name;
    whittle_net_path_name(path, &name);
    const int fd = whittle_net_connect_name(&name, SOCK_STREAM, limits);
    const int failure = fd < 0 ? fd : whittle_net_say_hello(fd, limits, stream);
    if (fd >= 0 && failure != WHITTLE_NET_OK)
        close(fd);
    return failure;
}
