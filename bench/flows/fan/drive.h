/* The source's side: see fan.h. */
#ifndef FAN_DRIVE_H
#define FAN_DRIVE_H
#include "fan.h"

enum { OTHERS = 8, MOST = 300 };
static int others[OTHERS], other_count;
static uint64_t before[SUBSCRIBERS], times[MOST * SUBSCRIBERS];

static void pause_for(long microseconds)
{
    const struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000};
    nanosleep(&time, NULL);
}

static double seconds(clockid_t clock)
{
    struct timespec at;
    return clock_gettime(clock, &at) != 0 ? 0 : (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

static double processor(void)
{
    double all = seconds(CLOCK_PROCESS_CPUTIME_ID);
    clockid_t clock;
    for (int n = 0; n < other_count; n++)
        if (clock_getcpuclockid(others[n], &clock) == 0)
            all += seconds(clock);
    return all;
}

static void look(uint64_t counts[SUBSCRIBERS])
{
    for (size_t n = 0; n < SUBSCRIBERS; n++)
        counts[n] = atomic_load_explicit(&board[n].count, memory_order_acquire);
}

/* Waits until all have had so many more than before, or nothing more comes for a while. How many they had together; when the last came. */
static uint64_t await_all(uint64_t each, uint64_t *last)
{
    uint64_t all = 0;
    *last = now();
    for (;;) {
        uint64_t counts[SUBSCRIBERS], sum = 0;
        look(counts);
        for (size_t n = 0; n < SUBSCRIBERS; n++)
            sum += counts[n] - before[n];
        const uint64_t at = now();
        if (sum != all)
            *last = at;
        all = sum;
        if (all >= each * SUBSCRIBERS || at - *last > 300000000u)
            return all;
        pause_for(20);
    }
}

static int compare(const void *one, const void *other)
{
    const uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return (a > b) - (a < b);
}

static void latency(int count)
{
    Mixed packet = {0};
    size_t noted = 0;
    uint64_t lost = 0, last;
    double all = 0;
    if (count > MOST)
        count = MOST;
    const double used = processor();
    for (int n = 0; n < count; n++) {
        look(before);
        const uint64_t sent = now();
        memcpy(&packet, &sent, sizeof sent);
        publish(&packet, true);
        const uint64_t came = await_all(1, &last);
        lost += SUBSCRIBERS - came;
        for (size_t at = 0; at < SUBSCRIBERS; at++) {
            if (board[at].count == before[at])
                continue;
            times[noted] = board[at].nanoseconds;
            all += (double)times[noted++];
        }
        pause_for(500);     /* so that the next finds all at rest, too */
    }
    if (noted == 0)
        times[noted++] = UINT64_MAX;
    qsort(times, noted, sizeof *times, compare);
    const double p50 = (double)times[noted / 2], p99 = (double)times[noted * 99 / 100], p999 = (double)times[noted * 999 / 1000];
    printf("latency %d %.3f %.3f %.3f %.3f %.4f %.2f\n", count, all / (double)noted * 1e-3, p50 * 1e-3, p99 * 1e-3, p999 * 1e-3,
           (processor() - used) / count * 1e6, (double)lost / SUBSCRIBERS);
}

static void throughput(int count)
{
    Mixed packet = {0};
    uint64_t last;
    look(before);
    const double used = processor();
    const uint64_t start = now();
    for (int n = 0; n < count; n++) {
        packet.numbers[0] = n;
        publish(&packet, n + 1 == count);
    }
    const double had = (double)await_all((uint64_t)count, &last) / SUBSCRIBERS;
    printf("throughput %.2f %.9f %.4f %.2f\n", had, (double)(last - start) * 1e-9, (processor() - used) / count * 1e6, count - had);
}

/* A subscriber may come late: packets are sent until each has had one. */
static void wait_for_all(void)
{
    Mixed packet = {0};
    uint64_t had[SUBSCRIBERS];
    size_t ready = 0;
    look(before);
    while (ready < SUBSCRIBERS) {
        publish(&packet, true);
        pause_for(20000);
        look(had);
        for (ready = 0; ready < SUBSCRIBERS && had[ready] != before[ready]; ready++)
            continue;
    }
}

static void drive(void)
{
    char line[256];
    setvbuf(stdout, NULL, _IOLBF, 0);
    open_board();
    wait_for_all();
    pause_for(200000);
    printf("ready 1\n");
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (strncmp(line, "pids ", 5) == 0)
            for (char *at = line + 5; *at >= ' ' && other_count < OTHERS; at += *at == ' ')
                others[other_count++] = (int)strtol(at, &at, 10);
        else if (strncmp(line, "latency ", 8) == 0)
            latency(atoi(line + 8));
        else if (strncmp(line, "throughput ", 11) == 0)
            throughput(atoi(line + 11));
        else
            break;
    }
}
#endif
