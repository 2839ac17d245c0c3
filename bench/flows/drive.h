/*
 * The source's side of every participant: it reads what to measure from standard input and writes what it found. Before
 * this file is included, the participant says how it sends:
 *
 *   void *room(void)       where the next packet is to be written
 *   bool pass(bool last)   sends it; `last`: an answer is waited for next
 *   int32_t answer(void)   the answer; 0 where none comes
 */
#ifndef DRIVE_H
#define DRIVE_H
#include "work.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { OTHERS = 8, MOST = 1 << 16 };
static int others[OTHERS];
static int other_count;
static double times[MOST];

static inline double seconds(clockid_t clock)
{
    struct timespec now;
    return clock_gettime(clock, &now) != 0 ? 0 : (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Processor time of all processes that take part: this one, and those that are named by `pids`. */
static double processor(void)
{
    double all = seconds(CLOCK_PROCESS_CPUTIME_ID);
    clockid_t clock;
    for (int i = 0; i < other_count; i++)
        if (clock_getcpuclockid(others[i], &clock) == 0)
            all += seconds(clock);
    return all;
}

static int compare(const void *one, const void *other)
{
    const double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

static bool latency(int count)
{
    double all = 0;
    int lost = 0;
    if (count > MOST)
        count = MOST;
    const double before = processor();
    for (int i = 0; i < count; i++) {
        const double start = seconds(CLOCK_MONOTONIC);
        fill(room(), ANSWER);
        if (!pass(true))
            return false;
        const int32_t got = answer();
        all += times[i] = seconds(CLOCK_MONOTONIC) - start;
        if (got < 0)
            return false;
        lost += 1 - got;
    }
    const double used = processor() - before;
    qsort(times, (size_t)count, sizeof *times, compare);
    const double p50 = times[count / 2], p99 = times[(int)(count * 0.99)], p999 = times[(int)(count * 0.999)];
    printf("latency %d %.3f %.3f %.3f %.3f %.4f %d\n", count, all / count * 1e6, p50 * 1e6, p99 * 1e6, p999 * 1e6,
           used / count * 1e6, lost);
    return true;
}

static bool throughput(int count)
{
    const double before = processor(), start = seconds(CLOCK_MONOTONIC);
    for (int i = 0; i < count - 1; i++) {
        fill(room(), i);
        if (!pass(false))
            return false;
    }
    fill(room(), (count - 1) | ANSWER);
    if (!pass(true))
        return false;
    const int32_t got = answer();
    const double taken = seconds(CLOCK_MONOTONIC) - start, used = processor() - before;
    if (got < 0)
        return false;
    printf("throughput %d %.9f %.4f %d\n", count, taken, used / count * 1e6, count - got);
    return true;
}

static void drive(void)
{
    char line[256];
    prepare();
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("ready %d\n", latency(1));
    while (fgets(line, sizeof line, stdin) != NULL) {
        bool is_right = true;
        if (strncmp(line, "pids ", 5) == 0)
            for (char *at = line + 5; *at >= ' ' && other_count < OTHERS; at += *at == ' ')
                others[other_count++] = (int)strtol(at, &at, 10);
        else if (strncmp(line, "latency ", 8) == 0)
            is_right = latency(atoi(line + 8));
        else if (strncmp(line, "throughput ", 11) == 0)
            is_right = throughput(atoi(line + 11));
        else
            break;
        if (!is_right) {
            printf("wrong\n");
            break;
        }
    }
}
#endif
