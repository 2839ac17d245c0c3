/* SPDX-License-Identifier: MIT-0 */
/* A server takes a client's shared memory: it looks at the hello and at the memory, and says whether it takes them. */
#include "memory.h"
#include "sealed.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WHITTLE_NET_RING_LEAST = 4096, WHITTLE_NET_RING_MOST = 16 * 1024 * 1024 };

static bool whittle_net_is_ring_size(uint32_t size)
{
    return size >= WHITTLE_NET_RING_LEAST && size <= WHITTLE_NET_RING_MOST && (size & (size - 1)) == 0;
}

/* What the client said is looked at in this process's own memory. A failure, or 0; the descriptor is seen to. */
static int whittle_net_judge_hello(struct whittle_net_stream *stream, const struct whittle_net_memory_hello *hello, ssize_t size, int memory)
{
    const bool named = size >= 12 && memcmp(hello->name, whittle_net_greeting, sizeof hello->name) == 0;
    const bool known = named && hello->version == WHITTLE_NET_MEMORY_VERSION && size == (ssize_t)sizeof *hello;
    const bool sized = known && whittle_net_is_ring_size(hello->requests) && whittle_net_is_ring_size(hello->replies);
    const size_t all = sized ? whittle_net_memory_size(hello->requests, hello->replies) : 0;
    int failure = !whittle_net_is_own_user(stream->fd) ? WHITTLE_NET_NOT_ALLOWED
        : !sized || memory < 0 || !whittle_net_sealed_is(memory, all) ? WHITTLE_NET_OTHER_VERSION
        : !whittle_net_budget_take(&stream->pool->budget, all, WHITTLE_NET_WANT_CONNECTION) ? WHITTLE_NET_NO_MEMORY : WHITTLE_NET_OK;
    if (failure != WHITTLE_NET_OK) {
        if (memory >= 0)
            close(memory);
        return failure;
    }
    /* Holes would be filled when they are first written to, where there may be no memory any more. */
    if (fallocate(memory, 0, 0, (off_t)all) != 0) {
        close(memory);
        failure = WHITTLE_NET_NO_MEMORY;
    } else if (!whittle_net_memory_map(stream, memory, hello, true)) {
        failure = WHITTLE_NET_NO_MEMORY;
    }
    if (failure != WHITTLE_NET_OK)
        whittle_net_budget_give(&stream->pool->budget, all);
    return failure;
}

int whittle_net_memory_greet(struct whittle_net_stream *stream)
{
    struct whittle_net_memory_hello hello;
    struct whittle_net_memory_answer answer = {.version = WHITTLE_NET_MEMORY_VERSION};
    int memory = -1;
    const ssize_t came = whittle_net_take(stream->fd, &hello, sizeof hello, &memory);
    if (came <= 0)
        return (int)came;
    const int failure = whittle_net_judge_hello(stream, &hello, came, memory);
    memcpy(answer.name, whittle_net_greeting, sizeof answer.name);
    answer.verdict = (uint32_t)-failure;
    const bool answered = send(stream->fd, &answer, sizeof answer, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)sizeof answer;
    return failure == WHITTLE_NET_OK && answered;
}
