/* SPDX-License-Identifier: MIT-0 */
/* What is being tested, what was not so; and random numbers. */
#include "safety.h"
#include <stdarg.h>

char now[400];
unsigned effort = 1;
static uint64_t state = 1;

void say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(now, sizeof now, format, arguments);
    va_end(arguments);
}

void fail(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s:%d: %s: not so: %s\n", file, line, now, what);
    abort();
}

unsigned random_below(unsigned limit)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return limit == 0 ? 0 : (unsigned)((state * UINT64_C(0x2545f4914f6cdd1d)) >> 33) % limit;
}

void random_seed(uint64_t seed)
{
    state = seed * 2 + 1;
}
