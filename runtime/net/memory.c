/* SPDX-License-Identifier: MIT-0 */
/* Streams through shared memory, as other streams are used: memory.h. */
#include "memory.h"
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { WHITTLE_NET_PIECE = 32 * 1024 };     /* bytes that are published to the other side before more are copied */

static void whittle_net_futex_wait(uint32_t *word, uint32_t value, uint64_t until)
{
    const struct timespec moment = {(time_t)(until / 1000000000u), (long)(until % 1000000000u)};
    syscall(SYS_futex, word, FUTEX_WAIT_BITSET, value, &moment, NULL, FUTEX_BITSET_MATCH_ANY);      /* its moments are the monotonic clock's */
}

/* The other side, where that word says that it sleeps. */
WHITTLE_NET_HOT static void whittle_net_wake(const struct whittle_net_stream *stream, uint32_t *word)
{
    if (__atomic_load_n(word, __ATOMIC_SEQ_CST) == WHITTLE_NET_AWAKE_NOW)
        return;
    const uint32_t how = __atomic_exchange_n(word, WHITTLE_NET_AWAKE_NOW, __ATOMIC_SEQ_CST);
    if (how == WHITTLE_NET_IN_FUTEX)
        syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
    else if (how == WHITTLE_NET_AT_SOCKET)
        send(stream->fd, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);   /* where it takes no more, it has enough to wake it */
}

/* The writer is notified that there is room again. */
static void whittle_net_publish_read(const struct whittle_net_stream *stream)
{
    struct whittle_net_ring *const in = &stream->memory->in;
    if (in->published == in->at)
        return;
    in->published = in->at;
    __atomic_store_n(&in->shared->tail, in->at, __ATOMIC_SEQ_CST);
    whittle_net_wake(stream, &in->shared->wants);
}

/* `last`: ring.h. */
static void whittle_net_publish_written(const struct whittle_net_stream *stream, const void *last)
{
    struct whittle_net_ring *const out = &stream->memory->out;
    if (out->published == out->at)
        return;
    whittle_net_ring_publish(out, last);
    whittle_net_wake(stream, &out->shared->sleeps);
}

/* The writer waits for what is read seldom: a quarter of the ring, or whatever there is where it says so. */
static bool whittle_net_owes_wakeup(const struct whittle_net_ring *in)
{
    const uint32_t owed = in->at - in->published;
    return owed >= in->size / 4 || (owed != 0 && __atomic_load_n(&in->shared->wants, __ATOMIC_RELAXED) != WHITTLE_NET_AWAKE_NOW);
}

static bool whittle_net_is_gone(const struct whittle_net_memory *memory)
{
    return __atomic_load_n(&memory->gone, __ATOMIC_RELAXED);
}

/* Something has come, or the end. */
static bool whittle_net_has_data(struct whittle_net_memory *memory)
{
    return whittle_net_ring_has(&memory->in) != 0 || memory->in.broken || whittle_net_is_gone(memory)
        || __atomic_load_n(&memory->in.shared->ended, __ATOMIC_RELAXED) != 0;
}

static bool whittle_net_has_space(struct whittle_net_memory *memory)
{
    return whittle_net_ring_room(&memory->out, memory->out.size / 4) != 0 || memory->out.broken || whittle_net_is_gone(memory);
}

/* Which of these events of poll there are. */
WHITTLE_NET_HOT static short whittle_net_memory_ready(struct whittle_net_stream *stream, short events)
{
    struct whittle_net_memory *const memory = stream->memory;
    const bool in = (events & POLLIN) != 0 && whittle_net_has_data(memory), out = (events & POLLOUT) != 0 && whittle_net_has_space(memory);
    if ((events & POLLIN) != 0 && whittle_net_owes_wakeup(&memory->in))
        whittle_net_publish_read(stream);
    return (short)((in ? POLLIN : 0) | (out ? POLLOUT : 0));
}

/*
 * Awake for a while, as long as that has paid. The processor is not yielded meanwhile: on a busy machine who yields waits until
 * everybody else has had a turn, which takes milliseconds, and who sleeps is woken before them.
 */
static short whittle_net_memory_spin(struct whittle_net_stream *stream, short events, uint64_t until)
{
    enum { LOOKS = 32 };
    struct whittle_net_memory *const memory = stream->memory;
    struct whittle_net_spin *const spin = (events & POLLIN) != 0 ? &memory->reading : &memory->writing;
    short found = whittle_net_memory_ready(stream, events);
    if (found != 0 || memory->spin_time == 0 || !whittle_net_spin_pays(spin))
        return found;
    uint64_t end = 0;
    for (uint32_t round = 0; found == 0; round++) {
        for (int look = 0; look < LOOKS && found == 0; look++) {
            whittle_net_relax();
            found = whittle_net_memory_ready(stream, events);
        }
        const uint64_t now = found != 0 && round == 0 ? 0 : whittle_net_now();
        end = end == 0 ? now + memory->spin_time : end;
        if (now > end || (found == 0 && until != 0 && now > until)) {
            whittle_net_spun(spin, false);
            return found;
        }
    }
    whittle_net_spun(spin, true);
    return found;
}

/* Whether the other side is still there, and what it rang with. */
static void whittle_net_drain_wakeups(struct whittle_net_stream *stream)
{
    char rings[64];
    ssize_t came;
    do
        came = recv(stream->fd, rings, sizeof rings, MSG_DONTWAIT);
    while (came == (ssize_t)sizeof rings);
    if (came == 0 || (came < 0 && errno != EAGAIN && errno != EINTR))
        __atomic_store_n(&stream->memory->gone, true, __ATOMIC_RELAXED);
}

/* Asleep until then at most. */
static short whittle_net_memory_sleep(struct whittle_net_stream *stream, short events, uint64_t until)
{
    struct whittle_net_memory *const memory = stream->memory;
    uint32_t *const sleeps = &memory->in.shared->sleeps, *const wants = &memory->out.shared->wants;
    const bool by_futex = events == POLLIN;
    if ((events & POLLIN) != 0)
        whittle_net_publish_read(stream);
    if ((events & POLLIN) != 0)
        __atomic_store_n(sleeps, by_futex ? WHITTLE_NET_IN_FUTEX : WHITTLE_NET_AT_SOCKET, __ATOMIC_SEQ_CST);
    if ((events & POLLOUT) != 0)
        __atomic_store_n(wants, WHITTLE_NET_AT_SOCKET, __ATOMIC_SEQ_CST);
    short found = whittle_net_memory_ready(stream, events);
    if (found == 0) {
        if (by_futex)
            whittle_net_futex_wait(sleeps, WHITTLE_NET_IN_FUTEX, until);
        else
            whittle_net_wait_for(stream->fd, POLLIN, until);
        found = whittle_net_memory_ready(stream, events);
    }
    if ((events & POLLIN) != 0)
        __atomic_store_n(sleeps, WHITTLE_NET_AWAKE_NOW, __ATOMIC_RELAXED);
    if ((events & POLLOUT) != 0)
        __atomic_store_n(wants, WHITTLE_NET_AWAKE_NOW, __ATOMIC_RELAXED);
    if (found == 0 || !by_futex)    /* the end of the other side wakes no futex */
        whittle_net_drain_wakeups(stream);
    return found != 0 ? found : whittle_net_memory_ready(stream, events);
}

/* `now`: about. The clock is read once for each sleep: on the way to sleep a read costs as much as a tenth of the call. */
static int whittle_net_memory_wait_from(struct whittle_net_stream *stream, short events, uint64_t now, uint64_t until)
{
    for (;; now = whittle_net_now()) {
        const short found = whittle_net_memory_spin(stream, events, until);
        if (found != 0 || (until != 0 && now >= until))
            return found;
        const short later = whittle_net_memory_sleep(stream, events, whittle_net_sooner(until, now + WHITTLE_NET_SLICE));
        if (later != 0)
            return later;
    }
}

static int whittle_net_memory_wait(struct whittle_net_stream *stream, short events, uint64_t until)
{
    if (stream->memory == NULL || !whittle_net_memory_is_own(stream->memory))
        return whittle_net_wait_events(stream->fd, events, until);
    return whittle_net_memory_wait_from(stream, events, whittle_net_now(), until);
}

static ssize_t whittle_net_memory_failed(int problem)
{
    errno = problem;
    return -1;
}

/* What is there. */
WHITTLE_NET_HOT static ssize_t whittle_net_memory_get(struct whittle_net_stream *stream, void *to, size_t room)
{
    struct whittle_net_memory *const memory = stream->memory;
    const size_t came = whittle_net_ring_get(&memory->in, to, room);
    if (whittle_net_owes_wakeup(&memory->in))
        whittle_net_publish_read(stream);
    if (came != 0 || room == 0)
        return (ssize_t)came;
    if (memory->in.broken)
        return whittle_net_memory_failed(EPROTO);
    /* What it wrote before it ended is there when its end is. */
    if (!whittle_net_is_gone(memory) && __atomic_load_n(&memory->in.shared->ended, __ATOMIC_ACQUIRE) == 0)
        return whittle_net_memory_failed(EAGAIN);
    return (ssize_t)whittle_net_ring_get(&memory->in, to, room);
}

WHITTLE_NET_HOT static ssize_t whittle_net_memory_receive(struct whittle_net_stream *stream, void *to, size_t room, int flags)
{
    if (stream->memory == NULL) {
        const int greeted = whittle_net_memory_accept(stream);
        if (greeted <= 0)
            return greeted;
    }
    if (!whittle_net_memory_is_own(stream->memory))
        return whittle_net_memory_failed(EPIPE);
    const ssize_t came = whittle_net_memory_get(stream, to, room);
    if (came >= 0 || errno != EAGAIN || (flags & MSG_DONTWAIT) != 0)
        return came;
    const uint64_t now = whittle_net_now();
    return whittle_net_memory_wait_from(stream, POLLIN, now, now + stream->memory->patience) > 0 ? whittle_net_memory_get(stream, to, room)
        : whittle_net_memory_failed(EAGAIN);
}

/* One piece, as far as there is room, or soon is: how many bytes. */
static size_t whittle_net_memory_put(struct whittle_net_stream *stream, const char *from, size_t size)
{
    struct whittle_net_ring *const out = &stream->memory->out;
    size_t done = 0;
    while (done < size) {
        const size_t left = size - done, wanted = left < WHITTLE_NET_PIECE ? left : (size_t)WHITTLE_NET_PIECE;
        const size_t room = whittle_net_ring_room(out, wanted), some = room < wanted ? room : wanted;
        if (some == 0) {
            whittle_net_publish_written(stream, NULL);
            __atomic_store_n(&out->shared->wants, WHITTLE_NET_LOOKING, __ATOMIC_SEQ_CST);
            const bool way = (whittle_net_memory_spin(stream, POLLOUT, 0) & POLLOUT) != 0 && !out->broken && !whittle_net_is_gone(stream->memory);
            __atomic_store_n(&out->shared->wants, WHITTLE_NET_AWAKE_NOW, __ATOMIC_RELAXED);
            if (!way)
                break;
            continue;
        }
        whittle_net_ring_put(out, from + done, some);
        done += some;
        if (out->at - out->published >= WHITTLE_NET_PIECE)
            whittle_net_publish_written(stream, NULL);
    }
    return done;
}

WHITTLE_NET_HOT static ssize_t whittle_net_memory_send(struct whittle_net_stream *stream, struct iovec *pieces, int count, int flags)
{
    size_t sent = 0;
    (void)flags;
    if (stream->memory == NULL || !whittle_net_memory_is_own(stream->memory) || whittle_net_is_gone(stream->memory) || stream->memory->out.broken)
        return whittle_net_memory_failed(EPIPE);
    for (int index = 0; index < count; index++) {
        const size_t done = whittle_net_memory_put(stream, (const char *)pieces[index].iov_base, pieces[index].iov_len);
        sent += done;
        if (done < pieces[index].iov_len)
            break;
    }
    const struct whittle_net_ring *const out = &stream->memory->out;
    whittle_net_publish_written(stream, count == 1 && out->at - out->published == pieces->iov_len ? pieces->iov_base : NULL);
    return sent != 0 ? (ssize_t)sent : whittle_net_memory_failed(stream->memory->out.broken ? EPIPE : EAGAIN);
}

static ssize_t whittle_net_memory_waiting(struct whittle_net_stream *stream)
{
    char byte;
    struct whittle_net_memory *const memory = stream->memory;
    if (memory == NULL)
        return recv(stream->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    if (!whittle_net_memory_is_own(memory) || memory->in.broken)
        return whittle_net_memory_failed(EPIPE);
    if (whittle_net_ring_has(&memory->in) != 0)
        return 1;
    whittle_net_drain_wakeups(stream);
    if (whittle_net_ring_has(&memory->in) != 0)
        return 1;
    return whittle_net_is_gone(memory) || __atomic_load_n(&memory->in.shared->ended, __ATOMIC_RELAXED) != 0 ? 0 : whittle_net_memory_failed(EAGAIN);
}

static void whittle_net_memory_hang_up(struct whittle_net_stream *stream, int how)
{
    struct whittle_net_memory *const memory = stream->memory;
    if (memory != NULL && !whittle_net_memory_is_own(memory))   /* its parent's, who goes on */
        return;
    shutdown(stream->fd, how);
    if (memory == NULL)
        return;
    __atomic_store_n(&memory->gone, true, __ATOMIC_RELAXED);
    __atomic_store_n(&memory->in.shared->sleeps, WHITTLE_NET_AWAKE_NOW, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &memory->in.shared->sleeps, FUTEX_WAKE, 1, NULL, NULL, 0);   /* this process's own reader */
}

static void whittle_net_memory_end(struct whittle_net_stream *stream)
{
    struct whittle_net_memory *const memory = stream->memory;
    stream->memory = NULL;
    whittle_net_memory_accepted(stream);
    if (memory == NULL)
        return;
    if (whittle_net_memory_is_own(memory)) {
        uint32_t *const words[] = {&memory->out.shared->sleeps, &memory->in.shared->wants};
        __atomic_store_n(&memory->out.shared->ended, 1, __ATOMIC_SEQ_CST);
        for (int index = 0; index < 2; index++)
            whittle_net_wake(stream, words[index]);
    }
    munmap(memory->all, memory->size);
    if (stream->pool != NULL)
        whittle_net_budget_give(&stream->pool->budget, memory->size);
    free(memory);
}

WHITTLE_NET_HOT static uint32_t whittle_net_memory_events(struct whittle_net_stream *stream, uint32_t events)
{
    struct whittle_net_memory *const memory = stream->memory;
    if (memory == NULL)
        return events;
    if (memory->rests) {
        memory->rests = false;
        __atomic_store_n(&memory->in.shared->sleeps, WHITTLE_NET_AWAKE_NOW, __ATOMIC_RELAXED);
        __atomic_store_n(&memory->out.shared->wants, WHITTLE_NET_AWAKE_NOW, __ATOMIC_RELAXED);
        whittle_net_drain_wakeups(stream);
    } else if ((events & (uint32_t)EPOLLIN) != 0)
        whittle_net_drain_wakeups(stream);
    if ((events & ((uint32_t)EPOLLHUP | (uint32_t)EPOLLRDHUP | (uint32_t)EPOLLERR)) != 0)
        __atomic_store_n(&memory->gone, true, __ATOMIC_RELAXED);
    return events | (uint32_t)EPOLLIN | (uint32_t)EPOLLOUT;
}

/* Which of these there are now. */
WHITTLE_NET_HOT static uint32_t whittle_net_memory_look(struct whittle_net_stream *stream, uint32_t events)
{
    if (stream->memory == NULL)
        return 0;
    const short wanted = (short)(((events & (uint32_t)EPOLLIN) != 0 ? POLLIN : 0) | ((events & (uint32_t)EPOLLOUT) != 0 ? POLLOUT : 0));
    const short found = whittle_net_memory_ready(stream, wanted);
    return ((found & POLLIN) != 0 ? (uint32_t)EPOLLIN : 0) | ((found & POLLOUT) != 0 ? (uint32_t)EPOLLOUT : 0);
}

/* The socket is to wake; a socket that has room reports at once what there is already. */
static uint32_t whittle_net_memory_watch(struct whittle_net_stream *stream, uint32_t events)
{
    struct whittle_net_memory *const memory = stream->memory;
    if (memory == NULL || events == 0)
        return events;
    memory->rests = true;
    whittle_net_publish_read(stream);
    if ((events & (uint32_t)EPOLLIN) != 0)
        __atomic_store_n(&memory->in.shared->sleeps, WHITTLE_NET_AT_SOCKET, __ATOMIC_SEQ_CST);
    if ((events & (uint32_t)EPOLLOUT) != 0)
        __atomic_store_n(&memory->out.shared->wants, WHITTLE_NET_AT_SOCKET, __ATOMIC_SEQ_CST);
    return (uint32_t)EPOLLIN | (whittle_net_memory_look(stream, events) != 0 ? (uint32_t)EPOLLOUT : 0);
}

/* It may say so already: nobody has woken it since. */
WHITTLE_NET_HOT static uint32_t *whittle_net_memory_futex_word(struct whittle_net_stream *stream, uint32_t events, uint32_t *value)
{
    struct whittle_net_memory *const memory = stream->memory;
    if (memory == NULL || events != (uint32_t)EPOLLIN || !whittle_net_memory_is_own(memory))
        return NULL;
    uint32_t *const sleeps = &memory->in.shared->sleeps;
    whittle_net_publish_read(stream);
    if (__atomic_load_n(sleeps, __ATOMIC_SEQ_CST) != WHITTLE_NET_IN_FUTEX)
        __atomic_store_n(sleeps, WHITTLE_NET_IN_FUTEX, __ATOMIC_SEQ_CST);
    *value = WHITTLE_NET_IN_FUTEX;
    return sleeps;
}

static bool whittle_net_memory_await_bytes(struct whittle_net_stream *stream, int bytes)
{
    (void)stream;
    (void)bytes;
    return false;
}

const struct whittle_net_stream_ops whittle_net_memory_ops = {
    .receive = whittle_net_memory_receive, .send = whittle_net_memory_send, .waiting = whittle_net_memory_waiting,
    .wait = whittle_net_memory_wait, .hang_up = whittle_net_memory_hang_up, .end = whittle_net_memory_end,
    .events = whittle_net_memory_events, .watch = whittle_net_memory_watch, .await_bytes = whittle_net_memory_await_bytes,
    .look = whittle_net_memory_look, .futex_word = whittle_net_memory_futex_word, .needs = sizeof(struct whittle_net_memory_head) + 2 * WHITTLE_NET_RING};
