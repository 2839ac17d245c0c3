/* SPDX-License-Identifier: MIT-0 */
/*
 * The threads of a process: one for each stage that acts by itself. The first stage runs on the thread that calls, so a
 * process with one such stage has no other.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flow.h"

static void *whittle_flow_run_one(void *run)
{
    (*(whittle_flow_run_stage *const *)run)();
    return NULL;
}

bool whittle_flow_run(struct whittle_flow_process *process, whittle_flow_run_stage *const *stages, size_t count)
{
    pthread_t *const threads = (pthread_t *)calloc(count + 1, sizeof *threads);
    size_t started = 1;
    int problem = threads == NULL ? ENOMEM : 0;
    while (problem == 0 && started < count) {
        void *const run = (void *)(uintptr_t)&stages[started];
        problem = pthread_create(&threads[started], NULL, whittle_flow_run_one, run);
        started += problem == 0;
    }
    if (problem != 0) {
        fprintf(stderr, "%s: cannot start a thread: %s\n", process->name, strerror(problem));
        free(threads);
        return false;
    }
    if (count > 0)
        stages[0]();
    for (size_t at = 1; at < count; at++)
        pthread_join(threads[at], NULL);
    free(threads);
    return true;
}
