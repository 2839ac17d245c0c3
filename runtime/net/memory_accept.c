/* SPDX-License-Identifier: MIT-0 */
/*
 * A server takes a client's shared memory: it looks at the hello and at the memory, and says whether it takes them. Another user's client
 * proves that it has the key first.
 */
#include "memory.h"
#include "sealed.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WHITTLE_NET_RING_LEAST = 4096, WHITTLE_NET_RING_MOST = 16 * 1024 * 1024 };

static bool whittle_net_is_ring_size(uint32_t size)
{
    return size >= WHITTLE_NET_RING_LEAST && size <= WHITTLE_NET_RING_MOST && (size & (size - 1)) == 0;
}

static void whittle_net_descriptor_drop(int descriptor)
{
    if (descriptor >= 0)
        close(descriptor);
}

/* What the client said is looked at in this process's own memory. A failure, or 0; the descriptor is seen to. */
static int whittle_net_check_hello(struct whittle_net_stream *stream, const struct whittle_net_memory_hello *hello, ssize_t size, int memory)
{
    const bool named = size >= 12 && memcmp(hello->name, whittle_net_greeting, sizeof hello->name) == 0;
    const bool known = named && hello->version == WHITTLE_NET_MEMORY_VERSION && size == (ssize_t)sizeof *hello;
    const bool sized = known && whittle_net_is_ring_size(hello->requests) && whittle_net_is_ring_size(hello->replies);
    const size_t all = sized ? whittle_net_memory_size(hello->requests, hello->replies) : 0;
    int failure = sized && memory == WHITTLE_NET_NOT_PASSED ? WHITTLE_NET_NO_MEMORY
        : !sized || memory < 0 || !whittle_net_sealed_is(memory, all) ? WHITTLE_NET_OTHER_VERSION
        : !whittle_net_budget_take(&stream->pool->budget, all, WHITTLE_NET_WANT_CONNECTION) ? WHITTLE_NET_NO_MEMORY : WHITTLE_NET_OK;
    if (failure != WHITTLE_NET_OK) {
        whittle_net_descriptor_drop(memory);
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

/* Whatever a client may say. */
union whittle_net_received_hello {
    struct whittle_net_memory_hello hello;
    struct whittle_net_memory_proven proven;
    struct whittle_net_challenge challenge;
};

/* Another user's client begins: it proves that it has the key, and is challenged. A failure, or 0. */
static int whittle_net_challenged(struct whittle_net_stream *stream, const struct whittle_net_key *key, const struct whittle_net_challenge *challenge)
{
    whittle_net_budget_charge(&stream->pool->budget, sizeof *stream->challenges);
    stream->challenges = (struct whittle_net_challenges *)calloc(1, sizeof *stream->challenges);
    if (stream->challenges == NULL) {
        whittle_net_budget_give(&stream->pool->budget, sizeof *stream->challenges);
        return WHITTLE_NET_NO_MEMORY;
    }
    struct whittle_net_challenges *const said = stream->challenges;
    if (!whittle_net_challenges_open(said, stream->fd, WHITTLE_NET_SERVER))
        return WHITTLE_NET_NOT_ALLOWED;
    said->by[WHITTLE_NET_CLIENT] = *challenge;
    if (!whittle_net_challenge_is(said, key, WHITTLE_NET_CLIENT)) {
        whittle_net_refusal(stream->fd, WHITTLE_NET_SERVER, "it has another key");
        return WHITTLE_NET_NOT_ALLOWED;
    }
    const struct whittle_net_challenge *const own = &said->by[WHITTLE_NET_SERVER];
    return whittle_net_challenge_make(said, key, WHITTLE_NET_SERVER)
        && send(stream->fd, own, sizeof *own, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)sizeof *own ? WHITTLE_NET_OK : WHITTLE_NET_NO_MEMORY;
}

/* It has been challenged. A failure, or 0; the descriptor is seen to. */
static int whittle_net_check_proof(struct whittle_net_stream *stream, const struct whittle_net_key *key, const struct whittle_net_memory_proven *proven,
                                   ssize_t size, int memory)
{
    uint8_t proof[WHITTLE_NET_PROOF];
    whittle_net_hello_prove(stream->challenges, key, &proven->hello, sizeof proven->hello, proof);
    if (size == (ssize_t)sizeof *proven && whittle_net_proof_is(proof, proven->proof))
        return whittle_net_check_hello(stream, &proven->hello, sizeof proven->hello, memory);
    whittle_net_refusal(stream->fd, WHITTLE_NET_SERVER, "it did not prove that it has the key");
    whittle_net_descriptor_drop(memory);
    return WHITTLE_NET_NOT_ALLOWED;
}

/* Of another user's client. A failure, or 0; `*more`: it was challenged. */
static int whittle_net_check_other_user(struct whittle_net_stream *stream, const union whittle_net_received_hello *said, ssize_t size, int memory, bool *more)
{
    struct whittle_net_key key;
    const char *const why = whittle_net_calls_key(&key);
    int failure = WHITTLE_NET_NOT_ALLOWED;
    if (why == NULL && stream->challenges != NULL) {
        failure = whittle_net_check_proof(stream, &key, &said->proven, size, memory);
    } else {
        whittle_net_descriptor_drop(memory);
        *more = why == NULL && size == (ssize_t)sizeof said->challenge;
        if (why != NULL)
            whittle_net_refusal_by_key(stream->fd, WHITTLE_NET_SERVER, why);
        else if (*more)
            failure = whittle_net_challenged(stream, &key, &said->challenge);
        else
            whittle_net_refusal(stream->fd, WHITTLE_NET_SERVER, "it has no key");
    }
    whittle_net_key_forget(&key, sizeof key);
    return failure;
}

/* Another user's client that has no key knows that there is nothing to say. */
static void whittle_net_hung_up(const struct whittle_net_stream *stream)
{
    if (!whittle_net_is_own_user(stream->fd))
        whittle_net_refusal(stream->fd, WHITTLE_NET_SERVER, "it hung up before it had proved that it has the key");
}

int whittle_net_memory_accept(struct whittle_net_stream *stream)
{
    union whittle_net_received_hello said;
    struct whittle_net_memory_answer answer = {.version = WHITTLE_NET_MEMORY_VERSION};
    int memory = -1;
    bool more = false;
    memset(&said, 0, sizeof said);
    const ssize_t came = whittle_net_take(stream->fd, &said, sizeof said, &memory);
    if (came == 0)
        whittle_net_hung_up(stream);
    if (came <= 0)
        return (int)came;
    const int failure = whittle_net_is_own_user(stream->fd) ? whittle_net_check_hello(stream, &said.hello, came, memory)
        : whittle_net_check_other_user(stream, &said, came, memory, &more);
    if (failure == WHITTLE_NET_OK && more) {
        errno = EAGAIN;
        return -1;
    }
    whittle_net_memory_accepted(stream);
    memcpy(answer.name, whittle_net_greeting, sizeof answer.name);
    answer.status = (uint32_t)-failure;
    const bool answered = send(stream->fd, &answer, sizeof answer, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)sizeof answer;
    return failure == WHITTLE_NET_OK && answered;
}

void whittle_net_memory_accepted(struct whittle_net_stream *stream)
{
    if (stream->challenges == NULL)
        return;
    free(stream->challenges);
    stream->challenges = NULL;
    if (stream->pool != NULL)
        whittle_net_budget_give(&stream->pool->budget, sizeof *stream->challenges);
}
