/* SPDX-License-Identifier: MIT-0 */
/*
 * Timers of stages: in goes a period, out comes whether it is over. And the sleep of a thread that has nothing but timers, which ends
 * when a stage of the process does.
 */
#include "internal.h"
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static uint32_t whittle_flow_ended_count;

bool whittle_flow_rings(struct whittle_flow_timer *timer, uint64_t *next)
{
    const uint64_t now = whittle_net_now();
    const bool rings = timer->due != 0 && now >= timer->due;
    if (timer->due == 0 || now >= timer->due + timer->period)
        timer->due = now + timer->period;
    else if (rings)
        timer->due += timer->period;
    if (*next == 0 || timer->due < *next)
        *next = timer->due;
    return rings;
}

uint64_t whittle_flow_after(uint64_t nanoseconds)
{
    const uint64_t now = nanoseconds == 0 ? 0 : whittle_net_now();
    return nanoseconds < UINT64_MAX - now ? now + nanoseconds : UINT64_MAX;
}

uint32_t whittle_flow_end_count(void)
{
    return __atomic_load_n(&whittle_flow_ended_count, __ATOMIC_ACQUIRE);
}

void whittle_flow_wake(void)
{
    __atomic_add_fetch(&whittle_flow_ended_count, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &whittle_flow_ended_count, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

void whittle_flow_nap(uint64_t until, uint32_t ends)
{
    const uint64_t now = whittle_net_now(), left = until > now ? until - now : 0;
    const struct timespec pause = {(time_t)(left / 1000000000u), (long)(left % 1000000000u)};
    if (left > 0)
        syscall(SYS_futex, &whittle_flow_ended_count, FUTEX_WAIT_PRIVATE, ends, &pause, NULL, 0);
}
