/*
 * CDR by whittle's stubs: in this machine's byte order, and in the other one. Decoded as a client's results are (each
 * string and sequence allocated, and freed by CORBA_free), and as a server's in-parameters are (texts in the message, storage in
 * an arena that is used again).
 */
#include "bench.h"
#include "codec.h"
#include <stdlib.h>
#include <string.h>

struct state {
    enum workload kind;
    bool swapped, borrow;
    flick_Ints ints;
    flick_Rects rects;
    flick_Dirents dirents;
    char *message, *end;
    size_t room;
    char *arena, *arena_at;
};

/* The arena of the message that is being read; there is one thread. */
static struct state *reading;

static void *from_arena(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    (void)in, (void)release;
    char *const storage = reading->arena_at;
    reading->arena_at += (size * count + 15) & ~(size_t)15;
    return storage;
}

static char *put(struct state *s)
{
    struct whittle_cdr_out out = {s->message, s->message + s->room, NULL, NULL};
    switch (s->kind) {
    case INTS: return put_ints(&out, s->message, &s->ints, s->swapped);
    case RECTS: return put_rects(&out, s->message, &s->rects, s->swapped);
    default: return put_dirents(&out, s->message, &s->dirents, s->swapped);
    }
}

static void *begin_any(const struct data *data, bool swapped, bool borrow)
{
    struct state *const s = calloc(1, sizeof *s);
    s->kind = data->workload;
    s->swapped = swapped;
    s->borrow = borrow;
    s->ints = (flick_Ints){data->count, data->count, data->items.ints, CORBA_FALSE};
    s->rects = (flick_Rects){data->count, data->count, (flick_Rect *)data->items.rects, CORBA_FALSE};
    if (data->workload == DIRENTS) {
        s->dirents = (flick_Dirents){data->count, data->count, flick_Dirents_allocbuf(data->count), CORBA_TRUE};
        for (uint32_t i = 0; i < data->count; i++) {
            s->dirents._buffer[i].name = CORBA_string_dup(data->items.dirents[i].name);
            memcpy(s->dirents._buffer[i].info.fields, data->items.dirents[i].fields, 120);
            memcpy(s->dirents._buffer[i].info.tag, data->items.dirents[i].tag, 16);
        }
    }
    s->room = data->bytes + data->bytes / 32 + 4096;    /* texts end with NUL, and are padded */
    s->message = malloc(s->room);
    s->arena = malloc(2 * data->bytes + 4096);
    s->end = put(s);
    return s;
}

static void *begin(const struct data *data) { return begin_any(data, false, false); }
static void *begin_borrow(const struct data *data) { return begin_any(data, false, true); }
static void *begin_swap(const struct data *data) { return begin_any(data, true, false); }
static void *begin_swap_borrow(const struct data *data) { return begin_any(data, true, true); }

static void encode(void *state, size_t times)
{
    struct state *const s = state;
    while (times-- > 0) {
        put(s);
        BENCH_BARRIER();
    }
}

static struct whittle_cdr_in opened(struct state *s)
{
    struct whittle_cdr_in in = {.base = s->message, .end = s->end, .borrow = s->borrow};
    in.allocate = s->borrow ? from_arena : whittle_corba_allocate;
    reading = s;
    s->arena_at = s->arena;
    return in;
}

#define DECODE(T, get)                                                                                                 \
    do {                                                                                                               \
        T value = {0, 0, NULL, CORBA_FALSE};                                                                           \
        struct whittle_cdr_in in = opened(s);                                                                          \
        get(&in, s->message, &value, s->swapped);                                                                      \
        BENCH_BARRIER();                                                                                               \
        if (!s->borrow)                                                                                                \
            CORBA_free(value._buffer);                                                                                 \
    } while (0)

static void decode(void *state, size_t times)
{
    struct state *const s = state;
    while (times-- > 0)
        switch (s->kind) {
        case INTS: DECODE(flick_Ints, get_ints); break;
        case RECTS: DECODE(flick_Rects, get_rects); break;
        default: DECODE(flick_Dirents, get_dirents); break;
        }
}

static int is_right(void *state, const struct data *data)
{
    struct state *const s = state;
    struct whittle_cdr_in in = opened(s);
    flick_Ints ints = {0};
    flick_Rects rects = {0};
    flick_Dirents dirents = {0};
    bool right = true;
    if (s->kind == INTS) {
        right = get_ints(&in, s->message, &ints, s->swapped) == s->end && ints._length == data->count &&
                memcmp(ints._buffer, data->items.ints, data->bytes) == 0;
    } else if (s->kind == RECTS) {
        right = get_rects(&in, s->message, &rects, s->swapped) == s->end && rects._length == data->count &&
                memcmp(rects._buffer, data->items.rects, data->bytes) == 0;
    } else {
        right = get_dirents(&in, s->message, &dirents, s->swapped) == s->end && dirents._length == data->count;
        for (uint32_t i = 0; right && i < data->count; i++) {
            const flick_Dirent *const entry = &dirents._buffer[i];
            right = same_dirent(&data->items.dirents[i], entry->name, entry->info.fields, entry->info.tag);
        }
    }
    if (!s->borrow)
        CORBA_free(ints._buffer), CORBA_free(rects._buffer), CORBA_free(dirents._buffer);
    return right;
}

static void end(void *state)
{
    struct state *const s = state;
    if (s->kind == DIRENTS)
        CORBA_free(s->dirents._buffer);
    free(s->message);
    free(s->arena);
    free(s);
}

static const struct implementation corba = {"whittle", begin, encode, decode, is_right, end};
IMPLEMENTATION(corba)
static const struct implementation corba_borrow = {"whittle-borrow", begin_borrow, NULL, decode, is_right, end};
IMPLEMENTATION(corba_borrow)
static const struct implementation corba_swap = {"whittle-swap", begin_swap, encode, decode, is_right, end};
IMPLEMENTATION(corba_swap)
static const struct implementation corba_swap_borrow = {"whittle-borrow-swap", begin_swap_borrow, NULL, decode, is_right, end};
IMPLEMENTATION(corba_swap_borrow)
