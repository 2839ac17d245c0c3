/* SPDX-License-Identifier: MIT-0 */
/*
 * The end that is asked for from outside: the first SIGINT or SIGTERM asks the sources of this process to end, so
 * that ends travel down the flow and nothing under way is lost; the second ends the process at once. Where another
 * process runs all of the flow, a terminal's SIGINT reaches both, and the other hands it on as SIGTERM, however late:
 * there the second of the same signal ends this one, and the first one does not even where this process has done its
 * part and is about to exit. The other's death is such a wish, too. And steady rates, whose waits end when the flow is
 * to.
 */
#include "internal.h"
#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static uint32_t whittle_flow_asked;       /* 1: a signal has come */
static uint64_t whittle_flow_asked_at[2]; /* when the first came: SIGINT, SIGTERM; one where nobody hands on */
static bool whittle_flow_handed_on;       /* what a terminal asks for comes as SIGTERM once more */
static int whittle_flow_asked_wake = -1;  /* the event loop's eventfd */

static void whittle_flow_on_signal(int signal_number)
{
    /* Who ends a process group may have asked this process by name just before: that is one wish. */
    const uint64_t same_wish = 500000000u;
    const int problem = errno;
    const uint64_t now = whittle_net_now();
    uint64_t first = 0;     /* or, where it is not, the time of the first wish */
    uint64_t *const asked_at = &whittle_flow_asked_at[whittle_flow_handed_on && signal_number == SIGTERM];
    __atomic_compare_exchange_n(asked_at, &first, now, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    if (first != 0 && now - first > same_wish) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
    whittle_flow_ask_to_end();
    errno = problem;
}

bool whittle_flow_signals(struct whittle_flow_event_loop *loop)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = whittle_flow_on_signal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    whittle_flow_asked_wake = loop->waking.fd;
    whittle_flow_handed_on = loop->run_by != 0;
    if (sigaction(SIGINT, &action, NULL) != 0 || sigaction(SIGTERM, &action, NULL) != 0)
        return false;
    if (loop->run_by != 0) {
        /* However it ends; where it has ended already, its child is another's by now. */
        prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
        if (getppid() != loop->run_by)
            raise(SIGTERM);
    }
    return true;
}

void whittle_flow_signals_forget(void)
{
    whittle_flow_asked_wake = -1;
    if (whittle_flow_handed_on)
        return;
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
}

/* As a first signal does. */
void whittle_flow_ask_to_end(void)
{
    const uint64_t one = 1;
    __atomic_store_n(&whittle_flow_asked, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &whittle_flow_asked, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
    if (write(whittle_flow_asked_wake, &one, sizeof one) < 0)
        return; /* it has been woken */
}

/*
 * Until when a full queue is waited for: for ever, before the flow is to end. Then a source is given a second more, as its
 * peer may be at work; who passes on what others have sent waits as long as for a lost peer.
 */
uint64_t whittle_flow_blocked_until(const struct whittle_flow_link *link, uint64_t since)
{
    const struct whittle_flow_event_loop *const loop = link->loop;
    const uint64_t asked = __atomic_load_n(&loop->asked_at, __ATOMIC_RELAXED), second = 1000000000u;
    const uint64_t begun = asked > since ? asked : since;
    return asked == 0 ? 0 : begun + (loop->process->receiver_count == 0 && loop->patience > second ? second : loop->patience);
}

bool whittle_flow_goes_on(void)
{
    return __atomic_load_n(&whittle_flow_asked, __ATOMIC_RELAXED) == 0;
}

uint64_t whittle_flow_now(bool one_clock)
{
    return whittle_net_clock(one_clock ? CLOCK_MONOTONIC : CLOCK_REALTIME);
}

void whittle_flow_sleep_until(uint64_t due)
{
    while (whittle_flow_goes_on()) {
        const uint64_t now = whittle_net_now();
        if (now >= due)
            return;
        const struct timespec wait = {(time_t)((due - now) / 1000000000u), (long)((due - now) % 1000000000u)};
        syscall(SYS_futex, &whittle_flow_asked, FUTEX_WAIT, 0, &wait, NULL, 0);
    }
}

/* Steady: what is late does not shift what follows, unless it is late by more than a second. */
void whittle_flow_pace(uint64_t *next, uint64_t units, uint64_t period)
{
    const uint64_t now = whittle_net_now(), step = units > 0 ? period / units : 0;
    if (*next == 0 || now > *next + 1000000000u)
        *next = now;
    whittle_flow_sleep_until(*next);
    *next += step > 0 ? step : 1;
}

bool whittle_flow_pace_until(uint64_t *next, uint64_t units, uint64_t period, uint64_t until)
{
    if (*next != 0 && until < *next && whittle_flow_goes_on()) {
        whittle_flow_sleep_until(until);
        return !whittle_flow_goes_on();
    }
    whittle_flow_pace(next, units, period);
    return true;
}
