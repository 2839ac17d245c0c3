/*
 * Runs one program of this folder as it is, specialized, and written by hand: whoever was linked in, with `prepare` and `drive` of the
 * program's drive.c under names of its own.
 * usage: program sums SEEDS                          prints WHO SEED CHECKSUM
 *        program time CORE ROUNDS MILLISECONDS       prints WHO ROUND NANOSECONDS, all in turn within each round
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct participant {
    const char *who;
    void (*prepare)(unsigned seed);     /* makes the input; not timed */
    unsigned long (*drive)(void);       /* the work; a checksum of what it gives */
    size_t times;
};

__attribute__((weak)) void original_prepare(unsigned seed), residual_prepare(unsigned seed), hand_prepare(unsigned seed);
__attribute__((weak)) unsigned long original_drive(void), residual_drive(void), hand_drive(void);

static struct participant all[3] = {
    {"original", original_prepare, original_drive, 1},
    {"residual", residual_prepare, residual_drive, 1},
    {"hand", hand_prepare, hand_drive, 1},
};

static int show_sums(unsigned seeds)
{
    for (unsigned seed = 0; seed < seeds; seed++)
        for (int who = 0; who < 3; who++)
            if (all[who].drive != NULL) {
                all[who].prepare(seed);
                printf("%s %u %lx\n", all[who].who, seed, all[who].drive());
            }
    return 0;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double once(struct participant *own, double least)
{
    static volatile unsigned long sink;
    for (;; own->times *= 2) {
        const double start = now();
        for (size_t n = 0; n < own->times; n++)
            sink += own->drive();
        const double taken = now() - start;
        if (taken >= 0.7 * least)
            return taken / (double)own->times;
    }
}

static int measure(int core, unsigned rounds, double milliseconds)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    sched_setaffinity(0, sizeof set, &set);
    for (unsigned round = 0; round < rounds; round++)
        for (int who = 0; who < 3; who++) {
            struct participant *const own = &all[(who + round) % 3];
            if (own->drive == NULL)
                continue;
            own->prepare(round);
            printf("%s %u %.3f\n", own->who, round, once(own, milliseconds * 1e6));
        }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "sums") == 0)
        return show_sums((unsigned)atoi(argv[2]));
    if (argc == 5 && strcmp(argv[1], "time") == 0)
        return measure(atoi(argv[2]), (unsigned)atoi(argv[3]), atof(argv[4]));
    return 2;
}
