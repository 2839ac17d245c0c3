/*
 * Times calls. usage: PROGRAM server ADDRESS
 *                     PROGRAM client ADDRESS null|ints|rects|dirents BYTES MILLISECONDS      microseconds a call
 *                     PROGRAM pipeline ADDRESS BYTES MILLISECONDS                            calls a second
 * ADDRESS is HOST:PORT, shm:PORT for shared memory, or the path of a Unix socket.
 */
#include "driver.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

void driver_fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(1);
}

void driver_ready(void)
{
    puts("ready");
    fflush(stdout);
}

static const char *program;

static FILE *reference(const char *mode)
{
    char name[4096];
    snprintf(name, sizeof name, "%s.reference", program);
    FILE *const file = fopen(name, mode);
    if (file == NULL)
        driver_fail("no file for a reference");
    return file;
}

void driver_publish(const char *text)
{
    FILE *const file = reference("w");
    fputs(text, file);
    fclose(file);
}

const char *driver_reference(void)
{
    static char text[4096];
    FILE *const file = reference("r");
    if (fgets(text, sizeof text, file) == NULL)
        driver_fail("no reference");
    fclose(file);
    return text;
}

static void *room(size_t count, size_t size)
{
    void *const room = calloc(count + 1, size);
    if (room == NULL)
        driver_fail("no memory");
    return room;
}

static void make_dirents(struct data *data)
{
    for (uint32_t i = 0; i < data->count; i++) {
        struct dirent_item *const item = &data->items.dirents[i];
        item->name = room(117, 1);
        memset(item->name, 'a' + (int)(i % 26), 116);
        for (int n = 0; n < 30; n++)
            item->fields[n] = (int32_t)(i + (uint32_t)n);
        memset(item->tag, (int)(i & 255), sizeof item->tag);
    }
}

/* BYTES as the paper counts them: 4, 16 or 256 for each item. */
static void make(struct data *data, const char *workload, size_t bytes)
{
    static const struct { const char *name; size_t on_wire, in_memory; } known[] = {
        {"null", 1, 1}, {"ints", 4, 4}, {"rects", 16, 16}, {"dirents", 256, sizeof(struct dirent_item)},
    };
    for (int n = 0; n < 4; n++) {
        if (strcmp(workload, known[n].name) != 0)
            continue;
        data->workload = (enum workload)n;
        data->count = n == 0 ? 0 : (uint32_t)(bytes / known[n].on_wire);
        data->items.ints = room(data->count, known[n].in_memory);
        if (n == DIRENTS)
            make_dirents(data);
        else
            for (uint32_t i = 0; i < data->count * known[n].on_wire / 4; i++)
                data->items.ints[i] = (int32_t)(i * 2654435761u);
        return;
    }
    driver_fail("which workload?");
}

/* The least of several stretches, so that what else the machine does counts little; of few where a call fills one. */
static double time_calls(double least)
{
    enum { MOST = 8, FEWEST = 4 };
    double best = 1e300;
    for (int stretch = 0; stretch < MOST && (stretch < FEWEST || best < least / MOST); stretch++) {
        long calls = 0;
        double start = now(), taken = 0;
        while (taken < least / MOST) {
            if (stretch == 0 && calls == 3)
                start = now();
            participant_call();
            calls++;
            taken = now() - start;
        }
        const double each = taken / (double)(stretch == 0 && calls > 3 ? calls - 3 : calls);
        if ((stretch > 0 || calls > 6) && each < best)
            best = each;
    }
    return best;
}

static double time_pipeline(double least)
{
    const long batch = 1000;
    long calls = 0;
    participant_pipeline(batch);
    const double start = now();
    double taken = 0;
    while (taken < least) {
        if (!participant_pipeline(batch))
            driver_fail("no pipeline");
        calls += batch;
        taken = now() - start;
    }
    return (double)calls / taken * 1e6;
}

int main(int argc, char **argv)
{
    char host[256] = "", *path = NULL;
    uint16_t port = 0;
    if (argc < 3)
        return 2;
    program = argv[0];
    if (argv[2][0] == '/')
        path = argv[2];
    else {
        const char *const colon = strrchr(argv[2], ':');
        if (colon == NULL || (size_t)(colon - argv[2]) >= sizeof host)
            return 2;
        memcpy(host, argv[2], (size_t)(colon - argv[2]));
        port = (uint16_t)atoi(colon + 1);
    }
    struct data data = {0};
    if (strcmp(argv[1], "server") == 0)
        participant_serve(host, port, path);
    else if (strcmp(argv[1], "client") == 0 && argc == 6) {
        make(&data, argv[3], (size_t)atol(argv[4]));
        participant_connect(host, port, path, &data);
        printf("%.3f\n", time_calls(atof(argv[5]) * 1e3));
    } else if (strcmp(argv[1], "pipeline") == 0 && argc == 5) {
        make(&data, "ints", (size_t)atol(argv[3]));
        participant_connect(host, port, path, &data);
        printf("%.0f\n", time_pipeline(atof(argv[4]) * 1e3));
    } else
        return 2;
    return 0;
}
