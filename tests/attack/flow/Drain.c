/* SPDX-License-Identifier: MIT-0 */
/*
 * The receiver under attack. At the end it says, as honest clients of servers do, how many packets came, how many of them were not the ones
 * that were due, and how old they were in microseconds.
 */
#include "Drain.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 200000 };

static uint32_t ages[MOST];
static uint64_t came, wrong;

bool drain(struct Drain *self)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const uint64_t age = (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u - self->stamp->moment;
    wrong += self->stamp->number != came;
    if (came < MOST)
        ages[came] = age > UINT32_MAX ? UINT32_MAX : (uint32_t)age;
    came++;
    return true;
}

static int by_size(const void *left, const void *right)
{
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

void Drain_end(struct Drain *self)
{
    const uint64_t kept = came < MOST ? came : MOST;
    (void)self;
    qsort(ages, kept, sizeof ages[0], by_size);
    printf("made %llu failed %llu p50 %u p99 %u\n", (unsigned long long)came, (unsigned long long)wrong, ages[kept / 2], ages[kept * 99 / 100]);
}
