/* SPDX-License-Identifier: MIT-0 */
/* Time: nanoseconds of the monotonic clock. A deadline is a moment on it; 0 is no deadline. */
#ifndef WHITTLE_NET_CLOCK_H
#define WHITTLE_NET_CLOCK_H
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* Some that use a header need not use all of it. */
#define WHITTLE_NET_UNUSED __attribute__((unused))

#define WHITTLE_NET_MILLISECOND UINT64_C(1000000)
/* The longest wait in the kernel: cancellation and deadlines are looked at at least this often. */
#define WHITTLE_NET_SLICE (100 * WHITTLE_NET_MILLISECOND)

/* Nanoseconds of any clock, which strict C has no type for: a `clockid_t`. */
uint64_t whittle_net_clock(int clock);
uint64_t whittle_net_now(void);
/* The same, some milliseconds behind, at a fifth of the price. */
uint64_t whittle_net_about_now(void);
/* The earlier of two deadlines. */
uint64_t whittle_net_sooner(uint64_t one, uint64_t other);
bool whittle_net_is_over(uint64_t deadline);
/* poll on one descriptor: the events that there are; 0: the deadline is over; below 0: failed, see errno. */
int whittle_net_wait_events(int fd, short events, uint64_t deadline);
/* The same. 1: ready; 0: the deadline is over; -1: failed, see errno. */
int whittle_net_wait_for(int fd, short events, uint64_t deadline);
/* Takes the lock; false: not before the deadline, or the end of a slice, whichever is first. */
bool whittle_net_lock_until(pthread_mutex_t *lock, uint64_t deadline);
/* A condition whose timed waits use the monotonic clock, and one wait on it. */
void whittle_net_condition_open(pthread_cond_t *condition);
void whittle_net_condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, uint64_t until);
#endif
