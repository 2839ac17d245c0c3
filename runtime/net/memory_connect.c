/* SPDX-License-Identifier: MIT-0 */
/*
 * A client meets a server of shared memory: it makes the memory, passes it with its hello, and waits for the answer. Both sides ask
 * the system whose process the other is; where it is another user's, both prove first that they have the key (prove.h).
 */
#include "memory.h"
#include "sealed.h"
#include "socket.h"
#include <errno.h>
#include <poll.h>
#include <unistd.h>

/* Until it says something. A failure, or 0. */
static int whittle_net_await_word(int fd, const struct whittle_net_limits *limits)
{
    for (int found = 0; found == 0;) {
        if (whittle_net_is_cancelled(limits))
            return WHITTLE_NET_CANCELLED;
        found = whittle_net_wait_for(fd, POLLIN, whittle_net_sooner(limits->deadline, whittle_net_now() + WHITTLE_NET_SLICE));
        if (found == 0 && whittle_net_is_over(limits->deadline))
            return WHITTLE_NET_TIMED_OUT;
    }
    return WHITTLE_NET_OK;
}

/* What an answer says: a failure, or 0. */
static int whittle_net_answer_status(const struct whittle_net_memory_answer *answer, ssize_t came)
{
    if (came <= 0)
        return WHITTLE_NET_REFUSED;     /* it ended meanwhile, or takes nobody now */
    if (came != (ssize_t)sizeof *answer || memcmp(answer->name, whittle_net_greeting, sizeof answer->name) != 0)
        return WHITTLE_NET_OTHER_VERSION;
    switch (-(int)answer->status) {
    case WHITTLE_NET_OK: return answer->version == WHITTLE_NET_MEMORY_VERSION ? WHITTLE_NET_OK : WHITTLE_NET_OTHER_VERSION;
    case WHITTLE_NET_NO_MEMORY: return WHITTLE_NET_NO_MEMORY;
    case WHITTLE_NET_NOT_ALLOWED: return WHITTLE_NET_NOT_ALLOWED;
    default: return WHITTLE_NET_OTHER_VERSION;
    }
}

/* A failure, or 0. */
static int whittle_net_await_answer(int fd, const struct whittle_net_limits *limits)
{
    struct whittle_net_memory_answer answer;
    const int failure = whittle_net_await_word(fd, limits);
    if (failure != WHITTLE_NET_OK)
        return failure;
    const ssize_t came = recv(fd, &answer, sizeof answer, MSG_DONTWAIT);
    return whittle_net_answer_status(&answer, came);
}

/* Makes the memory, and passes it with that message, whose beginning is a hello. A failure, or 0. */
static int whittle_net_offer(int fd, const struct whittle_net_limits *limits, const struct whittle_net_memory_proven *said, size_t size,
                             struct whittle_net_stream *stream)
{
    const int memory = whittle_net_sealed_make(whittle_net_memory_size(said->hello.requests, said->hello.replies), true);
    if (memory < 0)
        return WHITTLE_NET_NO_MEMORY;
    const bool passed = whittle_net_pass(fd, said, size, memory);
    *stream = (struct whittle_net_stream){.ops = &whittle_net_memory_ops, .fd = fd};
    if (!whittle_net_memory_map(stream, memory, &said->hello, false))
        return WHITTLE_NET_NO_MEMORY;
    const int failure = passed ? whittle_net_await_answer(fd, limits) : (int)WHITTLE_NET_REFUSED;
    if (failure != WHITTLE_NET_OK)
        stream->ops->end(stream);
    return failure;
}

/* Both prove that they have the key: a failure, or 0. */
static int whittle_net_exchange(int fd, const struct whittle_net_limits *limits, const struct whittle_net_key *key, struct whittle_net_challenges *said)
{
    union { struct whittle_net_challenge challenge; struct whittle_net_memory_answer answer; } word;
    const struct whittle_net_challenge *const own = &said->by[WHITTLE_NET_CLIENT];
    if (!whittle_net_challenges_open(said, fd, WHITTLE_NET_CLIENT) || !whittle_net_challenge_make(said, key, WHITTLE_NET_CLIENT))
        return WHITTLE_NET_NOT_ALLOWED;
    if (send(fd, own, sizeof *own, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)sizeof *own)
        return WHITTLE_NET_REFUSED;
    const int failure = whittle_net_await_word(fd, limits);
    if (failure != WHITTLE_NET_OK)
        return failure;
    const ssize_t came = recv(fd, &word, sizeof word, MSG_DONTWAIT);
    if (came != (ssize_t)sizeof word.challenge) {
        const int status = whittle_net_answer_status(&word.answer, came);
        return status == WHITTLE_NET_OK ? (int)WHITTLE_NET_OTHER_VERSION : status;
    }
    said->by[WHITTLE_NET_SERVER] = word.challenge;
    return whittle_net_challenge_is(said, key, WHITTLE_NET_SERVER) ? WHITTLE_NET_OK : WHITTLE_NET_NOT_ALLOWED;
}

/* Nothing is passed to another user's server before it has proved that it has the key. A failure, or 0. */
static int whittle_net_connect_to_other_user(int fd, const struct whittle_net_limits *limits, struct whittle_net_memory_proven *said, struct whittle_net_stream *stream)
{
    struct whittle_net_key key;
    struct whittle_net_challenges challenges;
    const char *const why = whittle_net_calls_key(&key);
    if (why != NULL) {
        whittle_net_refusal_by_key(fd, WHITTLE_NET_CLIENT, why);
        return WHITTLE_NET_NOT_ALLOWED;
    }
    int failure = whittle_net_exchange(fd, limits, &key, &challenges);
    if (failure == WHITTLE_NET_OK) {
        whittle_net_hello_prove(&challenges, &key, &said->hello, sizeof said->hello, said->proof);
        failure = whittle_net_offer(fd, limits, said, sizeof *said, stream);
    }
    if (failure == WHITTLE_NET_NOT_ALLOWED)
        whittle_net_refusal(fd, WHITTLE_NET_CLIENT, "it has another key, or none");
    whittle_net_key_forget(&key, sizeof key);
    return failure;
}

static int whittle_net_send_hello(int fd, const struct whittle_net_limits *limits, struct whittle_net_stream *stream)
{
    struct whittle_net_memory_proven said = {
        .hello = {.version = WHITTLE_NET_MEMORY_VERSION, .requests = WHITTLE_NET_RING, .replies = WHITTLE_NET_RING}};
    memcpy(said.hello.name, whittle_net_greeting, sizeof said.hello.name);
    return whittle_net_is_own_user(fd) ? whittle_net_offer(fd, limits, &said, sizeof said.hello, stream)
        : whittle_net_connect_to_other_user(fd, limits, &said, stream);
}

int whittle_net_memory_connect(const char *path, const struct whittle_net_limits *limits, struct whittle_net_stream *stream)
{
    struct whittle_net_name name;
    whittle_net_path_name(path, &name);
    const int fd = whittle_net_connect_name(&name, SOCK_STREAM, limits);
    const int failure = fd < 0 ? fd : whittle_net_send_hello(fd, limits, stream);
    if (fd >= 0 && failure != WHITTLE_NET_OK)
        close(fd);
    return failure;
}
