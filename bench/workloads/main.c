/*
 * Times the implementations that were linked, in turn within each round, and prints the nanoseconds per message:
 *     WORKLOAD SIZE encode|decode WHO ROUND NANOSECONDS
 * usage: PROGRAM CORE ROUNDS MILLISECONDS [WORKLOAD [SIZE]]
 */
#define _GNU_SOURCE
#include "bench.h"
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The linker knows where the section begins and ends. */
extern const struct implementation *const __start_implementations[], *const __stop_implementations[];
enum { MOST = 64 };

static const struct workload_sizes {
    const char *name;
    size_t item, sizes[8];
} workloads[] = {
    {"ints", 4, {64, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20}},
    {"rects", 16, {64, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20}},
    {"dirents", 256, {256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 512 << 10}},
};

/* Processor time: marshalling never waits, and what else the machine does is nobody's merit or fault. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static uint32_t next_word(void)
{
    static uint32_t word = 1;
    return word = word * 1664525u + 1013904223u;
}

static void fill_dirent(struct dirent_item *item)
{
    enum { NAME = 116 };    /* with the length word and the numbers 256 bytes on the wire */
    item->name = malloc(NAME + 1);
    for (int i = 0; i < NAME; i++)
        item->name[i] = (char)('a' + next_word() % 26);
    item->name[NAME] = 0;
    for (int i = 0; i < 30; i++)
        item->fields[i] = (int32_t)next_word();
    for (int i = 0; i < 16; i++)
        item->tag[i] = (unsigned char)next_word();
}

static void make(struct data *data, enum workload workload, size_t bytes)
{
    data->workload = workload;
    data->bytes = bytes;
    data->count = (uint32_t)(bytes / workloads[workload].item);
    if (workload == DIRENTS) {
        data->items.dirents = calloc(data->count, sizeof *data->items.dirents);
        for (uint32_t i = 0; i < data->count; i++)
            fill_dirent(&data->items.dirents[i]);
        return;
    }
    data->items.ints = malloc(bytes);
    for (size_t i = 0; i < bytes / 4; i++)
        data->items.ints[i] = (int32_t)next_word();
}

static void unmake(struct data *data)
{
    if (data->workload == DIRENTS)
        for (uint32_t i = 0; i < data->count; i++)
            free(data->items.dirents[i].name);
    free(data->items.ints);
}

int same_dirent(const struct dirent_item *item, const char *name, const int32_t *fields, const void *tag)
{
    return strcmp(item->name, name) == 0 && memcmp(item->fields, fields, sizeof item->fields) == 0 &&
           memcmp(item->tag, tag, sizeof item->tag) == 0;
}

/* The clock is read twice per `least` nanoseconds or so: `*times` is kept from round to round. */
static double time_per_message(void (*run)(void *, size_t), void *state, size_t *times, double least)
{
    run(state, 1);
    for (;;) {
        const double start = now();
        run(state, *times);
        const double taken = now() - start, per_message = taken / (double)*times;
        if (taken >= 0.7 * least)
            return per_message;
        *times = taken < least / 100 ? *times * 100 : (size_t)(least / per_message) + 1;
    }
}

static const struct implementation *const *const all = __start_implementations;

/* States of one round, and what stands between them on the heap. */
struct stage { void *states[MOST], *between[MOST]; };

/*
 * Where a message lies beside what it is made from moves some by a third: every round has its own places, and nobody is
 * always lucky.
 */
static void begin(struct stage *stage, const struct data *data, int count)
{
    for (int i = 0; i < count; i++) {
        stage->between[i] = malloc(next_word() >> 16 & 8191);
        stage->states[i] = all[i]->begin(data);
        if (stage->states[i] != NULL && !all[i]->is_right(stage->states[i], data)) {
            fprintf(stderr, "%s: what it decodes is not what it encoded (%s)\n", all[i]->who,
                    workloads[data->workload].name);
            exit(1);
        }
    }
}

static void end(struct stage *stage, int count)
{
    for (int i = 0; i < count; i++) {
        if (stage->states[i] != NULL)
            all[i]->end(stage->states[i]);
        free(stage->between[i]);
    }
}

static void measure(enum workload workload, size_t bytes, int rounds, double least)
{
    const int count = (int)(__stop_implementations - all);
    size_t times[2][MOST];
    for (int i = 0; i < count; i++)
        times[0][i] = times[1][i] = 1;
    for (int round = 0; round < rounds; round++) {
        struct data data;
        struct stage stage;
        make(&data, workload, bytes);
        begin(&stage, &data, count);
        for (int decode = 0; decode < 2; decode++)
            for (int i = 0; i < count; i++) {
                void (*const run)(void *, size_t) = decode ? all[i]->decode : all[i]->encode;
                if (stage.states[i] == NULL || run == NULL)
                    continue;
                printf("%s %zu %s %s %d %.3f\n", workloads[workload].name, bytes, decode ? "decode" : "encode",
                       all[i]->who, round, time_per_message(run, stage.states[i], &times[decode][i], least));
            }
        end(&stage, count);
        unmake(&data);
    }
}

static void pin(int core)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0)
        perror("not pinned");
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    if (__stop_implementations - all > MOST)
        return 3;
    pin(atoi(argv[1]));
    for (unsigned w = 0; w < sizeof workloads / sizeof *workloads; w++)
        for (unsigned s = 0; s < 8 && workloads[w].sizes[s] != 0; s++) {
            const size_t bytes = workloads[w].sizes[s];
            if ((argc > 4 && strcmp(argv[4], workloads[w].name) != 0) || (argc > 5 && (size_t)atol(argv[5]) != bytes))
                continue;
            measure((enum workload)w, bytes, atoi(argv[2]), atof(argv[3]) * 1e6);
            fflush(stdout);
        }
    return 0;
}
