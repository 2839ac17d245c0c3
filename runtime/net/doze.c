/* SPDX-License-Identifier: MIT-0 */
/* One wait for the words of all rings, and a watcher of epoll: doze.h. */
#include "server.h"
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(SYS_futex_waitv) && defined(FUTEX_32)

static void whittle_net_ring_out(uint32_t *word, uint32_t value)
{
    __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
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
        whittle_net_ring_out(&watcher->rung, 1);
        while (__atomic_load_n(&watcher->rung, __ATOMIC_SEQ_CST) != 0 && !__atomic_load_n(&watcher->ends, __ATOMIC_SEQ_CST))
            syscall(SYS_futex, &watcher->rung, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0);
    }
    return NULL;
}

/* Asked for a wait for nothing, a system that has it finds that wrong. */
static bool whittle_net_system_waits(void)
{
    return syscall(SYS_futex_waitv, NULL, 0, 0, NULL, 0) < 0 && errno == EINVAL;
}

bool whittle_net_watcher_begin(struct whittle_net_server *server)
{
    enum { STACK = 128 * 1024 };
    struct whittle_net_watcher *const watcher = &server->watcher;
    pthread_attr_t attributes;
    sigset_t all, before;
    if (__atomic_load_n(&watcher->fails, __ATOMIC_SEQ_CST))
        return false;
    if (watcher->owner != 0)
        return watcher->owner == getpid();
    sigfillset(&all);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool begun = whittle_net_system_waits() && pthread_create(&watcher->thread, &attributes, whittle_net_watcher_run, server) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    watcher->owner = begun ? getpid() : 0;
    __atomic_store_n(&watcher->fails, !begun, __ATOMIC_SEQ_CST);
    return begun;
}

static struct futex_waitv whittle_net_awaited(const struct whittle_net_dozed *dozed, uint32_t flags)
{
    struct futex_waitv awaited = {.val = dozed->value};
    awaited.uaddr = (uintptr_t)dozed->word;
    awaited.flags = FUTEX_32 | flags;
    return awaited;
}

void whittle_net_doze(struct whittle_net_server *server, const struct whittle_net_dozed *words, uint32_t count)
{
    struct futex_waitv all[WHITTLE_NET_DOZE_MOST + 1];
    struct whittle_net_watcher *const watcher = &server->watcher;
    const struct whittle_net_dozed own = {&watcher->rung, 0};
    for (uint32_t index = 0; index < count; index++)
        all[index] = whittle_net_awaited(&words[index], 0);
    all[count] = whittle_net_awaited(&own, FUTEX_PRIVATE_FLAG);
    if (syscall(SYS_futex_waitv, all, count + 1, 0, NULL, 0) < 0 && errno != EAGAIN && errno != EINTR)
        __atomic_store_n(&watcher->fails, true, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&watcher->rung, __ATOMIC_SEQ_CST) == 0)
        return;
    whittle_net_poll(&server->poller, WHITTLE_NET_EVENTS, 0);
    whittle_net_ring_out(&watcher->rung, 0);
}

void whittle_net_watcher_end(struct whittle_net_server *server)
{
    const uint64_t one = 1;
    struct whittle_net_watcher *const watcher = &server->watcher;
    if (watcher->owner == 0 || watcher->owner != getpid())
        return;
    __atomic_store_n(&watcher->ends, true, __ATOMIC_SEQ_CST);
    whittle_net_ring_out(&watcher->rung, 0);
    if (write(server->stopper.fd, &one, sizeof one) < 0)    /* epoll has something, then; or more than it can count, already */
        errno = 0;
    pthread_join(watcher->thread, NULL);
    *watcher = (struct whittle_net_watcher){.owner = 0};
}

#else

bool whittle_net_watcher_begin(struct whittle_net_server *server)
{
    (void)server;
    return false;
}

void whittle_net_doze(struct whittle_net_server *server, const struct whittle_net_dozed *words, uint32_t count)
{
    (void)server;
    (void)words;
    (void)count;
}

void whittle_net_watcher_end(struct whittle_net_server *server)
{
    (void)server;
}

#endif
