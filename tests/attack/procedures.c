/* SPDX-License-Identifier: MIT-0 */
/* What the procedures under attack do, and what each server says of itself. In: calls. Out: counts, lines on standard output. */
#include "procedures.h"
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static atomic_uint_fast64_t served;

void procedure_served(void)
{
    atomic_fetch_add_explicit(&served, 1, memory_order_relaxed);
}

void procedure_fill(void *bytes, uint32_t size)
{
    memset(bytes, 0x5a, size);
}

uint32_t procedure_slow(uint32_t milliseconds)
{
    milliseconds = milliseconds > 1000 ? 1000 : milliseconds;
    const struct timespec time = {milliseconds / 1000, (long)(milliseconds % 1000) * 1000000};
    nanosleep(&time, NULL);
    return milliseconds;
}

struct setting setting_read(int argc, char **argv)
{
    struct setting setting = {.workers = 1};
    for (int index = 1; index < argc; index++) {
        const char *const value = strchr(argv[index], '=');
        const uint32_t number = value == NULL ? 0 : (uint32_t)strtoul(value + 1, NULL, 10);
        if (value == NULL || strncmp(argv[index], "unix:", 5) == 0)
            setting.links[setting.link_count++ & 3] = argv[index];
        else if (strncmp(argv[index], "workers=", 8) == 0)
            setting.workers = number;
        else if (strncmp(argv[index], "overtaking=", 11) == 0)
            setting.overtaking = number != 0;
        else if (strncmp(argv[index], "memory=", 7) == 0)
            setting.memory = number;
        else if (strncmp(argv[index], "patience=", 9) == 0)
            setting.patience = number;
        else if (strncmp(argv[index], "grace=", 6) == 0)
            setting.grace = number;
    }
    signal(SIGPIPE, SIG_IGN);
    return setting;
}

void setting_address(const char *address)
{
    printf("address %s\n", address);
}

void setting_ready(void)
{
    puts("ready");
    fflush(stdout);
}

void setting_end(void)
{
    printf("served %llu\n", (unsigned long long)atomic_load(&served));
    fflush(stdout);
}
