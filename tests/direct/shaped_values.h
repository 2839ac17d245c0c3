/* The values of shaped.x that a seed says, made and compared: once as `shaped.pres` has them (SH), once as is usual, once as rpcgen has them. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef SHAPED_COMMON
#define SHAPED_COMMON
static unsigned long failures;

static void expect(bool is_true, const char *what, uint32_t seed)
{
    if (!is_true && failures++ < 20)
        fprintf(stderr, "seed %u: %s\n", seed, what);
}

/* How long the part `which` of a value is, at most `most`; and its letters. */
static uint32_t count_of(uint32_t seed, uint32_t which, uint32_t most)
{
    return (seed * 7 + which * 5 + seed / 3) % (most + 1);
}

static char letter(uint32_t seed, uint32_t which, uint32_t at)
{
    return (char)('a' + (seed + which * 3 + at) % 26);
}

static void fill(char *to, uint32_t seed, uint32_t which, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        to[i] = letter(seed, which, i);
}

static bool is_filled(const char *with, uint32_t seed, uint32_t which, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (with[i] != letter(seed, which, i))
            return false;
    return true;
}

/* A text that ends with zero, from malloc. */
static inline char *made_text(uint32_t seed, uint32_t which, uint32_t most)
{
    uint32_t const count = count_of(seed, which, most);
    char *const text = calloc(1, count + 1);
    fill(text, seed, which, count);
    return text;
}

static inline bool is_text(const char *text, uint32_t seed, uint32_t which, uint32_t most)
{
    uint32_t const count = count_of(seed, which, most);
    return strlen(text) == count && is_filled(text, seed, which, count);
}

static inline char *made_bytes(uint32_t seed, uint32_t which, uint32_t most)
{
    uint32_t const count = count_of(seed, which, most);
    char *const bytes = count == 0 ? NULL : malloc(count);
    fill(bytes, seed, which, count);
    return bytes;
}

static inline bool is_bytes(const void *bytes, uint32_t count, uint32_t seed, uint32_t which, uint32_t most)
{
    return count == count_of(seed, which, most) && is_filled(bytes, seed, which, count);
}
#endif

#define LENGTH count_of
