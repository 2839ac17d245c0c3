/* The limit: moving the bytes, and the same with one malloc and free per message. */
#include "bench.h"
#include <stdlib.h>
#include <string.h>

struct state { char *message, *items; size_t bytes; };

static void *begin(const struct data *data)
{
    struct state *const s = malloc(sizeof *s);
    s->bytes = data->bytes;
    s->message = malloc(data->bytes + 64);
    s->items = calloc(1, data->bytes + 64);
    if (data->workload != DIRENTS)
        memcpy(s->items, data->items.ints, data->bytes);
    return s;
}

static void encode(void *state, size_t times)
{
    const struct state *const s = state;
    while (times-- > 0) {
        memcpy(s->message + 4, s->items, s->bytes);
        BENCH_BARRIER();
    }
}

static void decode(void *state, size_t times)
{
    const struct state *const s = state;
    while (times-- > 0) {
        memcpy(s->items, s->message + 4, s->bytes);
        BENCH_BARRIER();
    }
}

static void decode_allocating(void *state, size_t times)
{
    const struct state *const s = state;
    while (times-- > 0) {
        char *const items = malloc(s->bytes);
        memcpy(items, s->message + 4, s->bytes);
        BENCH_BARRIER();
        free(items);
    }
}

static int is_right(void *state, const struct data *data)
{
    (void)data;
    encode(state, 1);
    return 1;
}

static void end(void *state)
{
    struct state *const s = state;
    free(s->message);
    free(s->items);
    free(s);
}

static const struct implementation memcpy_only = {"memcpy", begin, encode, decode, is_right, end};
IMPLEMENTATION(memcpy_only)
static const struct implementation memcpy_malloc = {"memcpy-malloc", begin, NULL, decode_allocating, is_right, end};
IMPLEMENTATION(memcpy_malloc)
