/* SPDX-License-Identifier: MIT-0 */
/* One wait for the words of all rings, and a watcher of epoll: futex_sleep.h. */
#include "server.h"
#include "memory.h"
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

static void whittle_net_wake_all(uint32_t *word, uint32_t value)
{
    __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/* At an only client's word. Whether the loop sleeps there: it stays mapped meanwhile, since the loop waits until it has it back. */
static bool whittle_net_ring_at_client(struct whittle_net_watcher *watcher)
{
    uintptr_t asleep = __atomic_load_n(&watcher->asleep, __ATOMIC_SEQ_CST);
    if (asleep == 0 || !__atomic_compare_exchange_n(&watcher->asleep, &asleep, asleep | 1, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
        return false;
    uint32_t *const word = (uint32_t *)asleep;
    __atomic_store_n(word, WHITTLE_NET_AWAKE_NOW, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    __atomic_store_n(&watcher->asleep, asleep, __ATOMIC_SEQ_CST);
    return true;
}

/* Until it is seen. The loop looks whether it is woken when it has said where it sleeps, so that this finds it there, or need not. */
static void whittle_net_wake_until_seen(struct whittle_net_watcher *watcher)
{
    static const struct timespec again = {0, 4000000};
    whittle_net_wake_all(&watcher->pending, 1);
    while (__atomic_load_n(&watcher->pending, __ATOMIC_SEQ_CST) != 0 && !__atomic_load_n(&watcher->ends, __ATOMIC_SEQ_CST)) {
        const bool sleeps = whittle_net_ring_at_client(watcher);
        syscall(SYS_futex, &watcher->pending, FUTEX_WAIT_PRIVATE, 1, sleeps ? &again : NULL, NULL, 0);
    }
}

/* Until it is to end. Epoll keeps what it has: the loop takes it. */
static void *whittle_net_watcher_run(void *opaque)
{
    struct whittle_net_server *const server = (struct whittle_net_server *)opaque;
    struct whittle_net_watcher *const watcher = &server->watcher;
    struct pollfd watched = {.fd = server->poller.epoll, .events = POLLIN};
    while (!__atomic_load_n(&watcher->ends, __ATOMIC_SEQ_CST)) {
        if (poll(&watched, 1, -1) < 0 && errno != EINTR)
            __atomic_store_n(&watcher->fails, true, __ATOMIC_SEQ_CST);
        whittle_net_wake_until_seen(watcher);
    }
    return NULL;
}

#if defined(SYS_futex_waitv) && defined(FUTEX_32)

/* Asked for a wait for nothing, a system that has it finds that wrong. */
static bool whittle_net_system_waits(void)
{
    return syscall(SYS_futex_waitv, NULL, 0, 0, NULL, 0) < 0 && errno == EINVAL;
}

static struct futex_waitv whittle_net_awaited(const struct whittle_net_futex_word *word, uint32_t flags)
{
    struct futex_waitv awaited = {.val = word->value};
    awaited.uaddr = (uintptr_t)word->word;
    awaited.flags = FUTEX_32 | flags;
    return awaited;
}

static void whittle_net_sleep_on_several(struct whittle_net_watcher *watcher, const struct whittle_net_futex_word *words, uint32_t count)
{
    struct futex_waitv all[WHITTLE_NET_FUTEXES_MOST + 1];
    const struct whittle_net_futex_word own = {&watcher->pending, 0};
    for (uint32_t index = 0; index < count; index++)
        all[index] = whittle_net_awaited(&words[index], 0);
    all[count] = whittle_net_awaited(&own, FUTEX_PRIVATE_FLAG);
    if (syscall(SYS_futex_waitv, all, count + 1, 0, NULL, 0) < 0 && errno != EAGAIN && errno != EINTR)
        __atomic_store_n(&watcher->fails, true, __ATOMIC_SEQ_CST);
}

#else

static bool whittle_net_system_waits(void)
{
    return false;
}

static void whittle_net_sleep_on_several(struct whittle_net_watcher *watcher, const struct whittle_net_futex_word *words, uint32_t count)
{
    (void)words;
    (void)count;
    __atomic_store_n(&watcher->fails, true, __ATOMIC_SEQ_CST);
}

#endif

WHITTLE_NET_COLD static bool whittle_net_watcher_create(struct whittle_net_server *server)
{
    enum { STACK = 128 * 1024 };
    struct whittle_net_watcher *const watcher = &server->watcher;
    pthread_attr_t attributes;
    sigset_t all, before;
    sigfillset(&all);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool begun = pthread_create(&watcher->thread, &attributes, whittle_net_watcher_run, server) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    watcher->begun = begun;
    watcher->forks = whittle_net_forks_now();
    watcher->several = whittle_net_system_waits();
    __atomic_store_n(&watcher->fails, !begun, __ATOMIC_SEQ_CST);
    return begun;
}

WHITTLE_NET_HOT bool whittle_net_watcher_begin(struct whittle_net_server *server, uint32_t count)
{
    const struct whittle_net_watcher *const watcher = &server->watcher;
    if (__atomic_load_n(&watcher->fails, __ATOMIC_RELAXED))
        return false;
    if (!watcher->begun && !whittle_net_watcher_create(server))
        return false;
    return watcher->forks == whittle_net_forks_now() && (count == 1 || watcher->several);
}

/* The watcher may have the word just then; it gives it back in a moment. */
static void whittle_net_sleep_on_one(struct whittle_net_watcher *watcher, const struct whittle_net_futex_word *word)
{
    const uintptr_t own = (uintptr_t)word->word;
    __atomic_store_n(&watcher->asleep, own, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&watcher->pending, __ATOMIC_SEQ_CST) == 0)
        syscall(SYS_futex, word->word, FUTEX_WAIT, word->value, NULL, NULL, 0);
    for (uintptr_t asleep = own; !__atomic_compare_exchange_n(&watcher->asleep, &asleep, 0, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED); asleep = own)
        sched_yield();
}

WHITTLE_NET_HOT void whittle_net_futex_sleep(struct whittle_net_server *server, const struct whittle_net_futex_word *words, uint32_t count)
{
    struct whittle_net_watcher *const watcher = &server->watcher;
    if (count == 1)
        whittle_net_sleep_on_one(watcher, words);
    else
        whittle_net_sleep_on_several(watcher, words, count);
    if (__atomic_load_n(&watcher->pending, __ATOMIC_SEQ_CST) == 0)
        return;
    whittle_net_poll(&server->poller, WHITTLE_NET_EVENTS, 0);
    whittle_net_wake_all(&watcher->pending, 0);
}

void whittle_net_watcher_end(struct whittle_net_server *server)
{
    const uint64_t one = 1;
    struct whittle_net_watcher *const watcher = &server->watcher;
    if (!watcher->begun || watcher->forks != whittle_net_forks_now())
        return;
    __atomic_store_n(&watcher->ends, true, __ATOMIC_SEQ_CST);
    whittle_net_wake_all(&watcher->pending, 0);
    if (write(server->stop_event.fd, &one, sizeof one) < 0)  /* epoll has something, then; or more than it can count, already */
        errno = 0;
    pthread_join(watcher->thread, NULL);
    *watcher = (struct whittle_net_watcher){.begun = false};
}
