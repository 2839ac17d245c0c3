/* SPDX-License-Identifier: MIT-0 */
/* Waiting with deadlines: clock.h. */
#include "clock.h"
#include <errno.h>
#include <limits.h>
#include <poll.h>

uint64_t whittle_net_clock(int clock)
{
    struct timespec now;
    clock_gettime((clockid_t)clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t whittle_net_now(void)
{
    return whittle_net_clock(CLOCK_MONOTONIC);
}

uint64_t whittle_net_about_now(void)
{
    return whittle_net_clock(CLOCK_MONOTONIC_COARSE);
}

uint64_t whittle_net_sooner(uint64_t one, uint64_t other)
{
    return one == 0 ? other : other == 0 || one < other ? one : other;
}

bool whittle_net_is_over(uint64_t deadline)
{
    return deadline != 0 && whittle_net_now() >= deadline;
}

int whittle_net_wait_events(int fd, short events, uint64_t deadline)
{
    for (;;) {
        int timeout = -1;
        if (deadline != 0) {
            const uint64_t now = whittle_net_now();
            const uint64_t left = now < deadline ? (deadline - now + WHITTLE_NET_MILLISECOND - 1) / WHITTLE_NET_MILLISECOND : 0;
            timeout = left > INT_MAX ? INT_MAX : (int)left;
        }
        struct pollfd watched = {.fd = fd, .events = events};
        const int found = poll(&watched, 1, timeout);
        if (found >= 0)
            return found > 0 ? watched.revents : 0;
        if (errno != EINTR)
            return -1;
    }
}

int whittle_net_wait_for(int fd, short events, uint64_t deadline)
{
    const int found = whittle_net_wait_events(fd, events, deadline);
    return found > 0 ? 1 : found;
}

bool whittle_net_lock_until(pthread_mutex_t *lock, uint64_t deadline)
{
    struct timespec moment;     /* of the clock that mutexes have in every C library; a jump of it changes one slice at most */
    const uint64_t now = whittle_net_now(), end = whittle_net_sooner(deadline, now + WHITTLE_NET_SLICE);
    clock_gettime(CLOCK_REALTIME, &moment);
    moment.tv_nsec += (long)(end > now ? end - now : 0);
    moment.tv_sec += moment.tv_nsec / 1000000000;
    moment.tv_nsec %= 1000000000;
    return pthread_mutex_timedlock(lock, &moment) == 0;
}

void whittle_net_condition_open(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

void whittle_net_condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, uint64_t until)
{
    const struct timespec moment = {(time_t)(until / 1000000000u), (long)(until % 1000000000u)};
    pthread_cond_timedwait(condition, lock, &moment);
}
