/*
 * Round trips through an ORB, which is linked in: calls whose answer is empty.
 * usage: trips server [ORB's options]               writes its reference and serves
 *        trips client REFERENCE [ORB's options]     for each line `BYTES MILLISECONDS` that it reads, calls for so long with so
 *                                                   many bytes of numbers (0: none), and writes the nanoseconds of one call
 */
#include "trips.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WARMING = 3 };

int32_t trips_number(uint32_t index) { return (int32_t)(index * 2654435761u); }

void trips_failed(const char *what)
{
    fprintf(stderr, "trips: %s\n", what);
    exit(1);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double time_calls(int32_t *numbers, uint32_t count, double least)
{
    double start = 0, taken = 0;
    long calls = -WARMING;
    while (taken < least) {
        if (calls == 0)
            start = now();
        if (count == 0)
            trips_nothing();
        else
            trips_ints(numbers, count);
        calls++;
        taken = calls > 0 ? now() - start : 0;
    }
    return taken / (double)calls;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "server") == 0) {
        trips_serve(argc, argv);
        return 0;
    }
    if (argc < 3)
        return 2;
    trips_open(argc, argv, argv[2]);
    size_t bytes;
    double milliseconds;
    while (scanf("%zu %lf", &bytes, &milliseconds) == 2) {
        const uint32_t count = (uint32_t)(bytes / sizeof(int32_t));
        int32_t *const numbers = malloc(bytes + 1);
        for (uint32_t index = 0; index < count; index++)
            numbers[index] = trips_number(index);
        printf("%.1f\n", time_calls(numbers, count, milliseconds * 1e6));
        fflush(stdout);
        free(numbers);
    }
    return 0;
}
