/* SPDX-License-Identifier: MIT-0 */
/*
 * An honest client beside an attack. In: `honest ADDRESS TIMEOUT_MS [CALLS]`, and standard input, whose end says stop where no number of
 * calls does. Out: how many calls were made, how many failed, in sequence at the end, and how the first of them did, and the median and the
 * 99th percentile of their times in microseconds.
 */
#include "calls.h"
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t now(void)
{
    struct timespec moment;
    clock_gettime(CLOCK_MONOTONIC, &moment);
    return (uint64_t)moment.tv_sec * 1000000 + (uint64_t)moment.tv_nsec / 1000;
}

static int by_size(const void *left, const void *right)
{
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

enum { MOST = 200000 };

int main(int argc, char **argv)
{
    static uint32_t times[MOST];
    const uint32_t wanted = argc > 3 ? (uint32_t)atoi(argv[3]) : 0;
    uint32_t made = 0, failed = 0, kept = 0, last = 0;
    char first[120] = "";
    if (argc < 3)
        return 2;
    struct calls *const calls = calls_open(argv[1], (uint32_t)atoi(argv[2]));
    if (calls == NULL) {
        puts("made 1 failed 1 last 1 p50 0 p99 0 first cannot be opened");
        return 1;
    }
    struct pollfd input = {.fd = 0, .events = POLLIN};
    do {
        const uint64_t begin = now();
        const int status = made % 8 == 7 ? calls_echo(calls, 2000) : calls_nothing(calls);
        const uint64_t took = now() - begin;
        if (status != 0 && failed++ == 0)
            snprintf(first, sizeof first, "%s after %u ms", calls_text(status), (unsigned)(took / 1000));
        last = status != 0 ? last + 1 : 0;
        made++;
        if (kept < MOST)
            times[kept++] = took > UINT32_MAX ? UINT32_MAX : (uint32_t)took;
    } while (wanted > 0 ? made < wanted : poll(&input, 1, 1) == 0);
    qsort(times, kept, sizeof times[0], by_size);
    printf("made %u failed %u last %u p50 %u p99 %u first %s\n", made, failed, last, times[kept / 2], times[(uint64_t)kept * 99 / 100], first);
    calls_close(calls);
    return failed != 0;
}
