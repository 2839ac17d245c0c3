/*
 * CDR by whittle's stubs, of CORBA's style or, with -DPLAIN, of the plain one: in this machine's byte order, and in the other one. Decoded as
 * a client's results are (each string and sequence allocated, and freed by CORBA_free, or by what the plain style has for it), and as a
 * server's in-parameters are (texts in the message, storage in an arena that is used again).
 */
#include "bench.h"
#include "codec.h"
#include <stdlib.h>
#include <string.h>

#ifdef PLAIN
#define STYLE "whittle-plain"
#define SEQUENCE(count, items) {count, items}
#define NEW_ENTRIES(count) calloc(count, sizeof(T(Dirent)))
#define NEW_TEXT strdup
#define LET_GO(type, value) plain_flick_##type##_free(&(value))
#define ALLOCATE whittle_iiop_heap
#else
#define STYLE "whittle"
#define SEQUENCE(count, items) {count, count, items, CORBA_FALSE}
#define NEW_ENTRIES(count) flick_Dirents_allocbuf(count)
#define NEW_TEXT CORBA_string_dup
#define LET_GO(type, value) CORBA_free((value)._buffer)
#define ALLOCATE whittle_corba_allocate
#endif

struct state {
    enum workload kind;
    bool swapped, borrow;
    T(Ints) ints;
    T(Rects) rects;
    T(Dirents) dirents;
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
    struct whittle_cdr_out out = {s->message, s->message + s->room, NULL, NULL, 0, 0, 0};
    switch (s->kind) {
    case INTS: return CODEC(put_ints)(&out, s->message, &s->ints, s->swapped);
    case RECTS: return CODEC(put_rects)(&out, s->message, &s->rects, s->swapped);
    default: return CODEC(put_dirents)(&out, s->message, &s->dirents, s->swapped);
    }
}

static void *begin_any(const struct data *data, bool swapped, bool borrow)
{
    struct state *const s = calloc(1, sizeof *s);
    s->kind = data->workload;
    s->swapped = swapped;
    s->borrow = borrow;
    s->ints = (T(Ints))SEQUENCE(data->count, data->items.ints);
    s->rects = (T(Rects))SEQUENCE(data->count, (T(Rect) *)data->items.rects);
    if (data->workload == DIRENTS) {
        s->dirents = (T(Dirents))SEQUENCE(data->count, NEW_ENTRIES(data->count));
        for (uint32_t i = 0; i < data->count; i++) {
            T(Dirent) *const entry = &ITEMS(s->dirents)[i];
            entry->name = NEW_TEXT(data->items.dirents[i].name);
            memcpy(entry->info.fields, data->items.dirents[i].fields, 120);
            memcpy(entry->info.tag, data->items.dirents[i].tag, 16);
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
    in.allocate = s->borrow ? from_arena : ALLOCATE;
    reading = s;
    s->arena_at = s->arena;
    return in;
}

#define DECODE(type, get)                                                                                              \
    do {                                                                                                               \
        T(type) value = {0};                                                                                           \
        struct whittle_cdr_in in = opened(s);                                                                          \
        get(&in, s->message, &value, s->swapped);                                                                      \
        BENCH_BARRIER();                                                                                               \
        if (!s->borrow)                                                                                                \
            LET_GO(type, value);                                                                                       \
    } while (0)

static void decode(void *state, size_t times)
{
    struct state *const s = state;
    while (times-- > 0)
        switch (s->kind) {
        case INTS: DECODE(Ints, CODEC(get_ints)); break;
        case RECTS: DECODE(Rects, CODEC(get_rects)); break;
        default: DECODE(Dirents, CODEC(get_dirents)); break;
        }
}

static int is_right(void *state, const struct data *data)
{
    struct state *const s = state;
    struct whittle_cdr_in in = opened(s);
    T(Ints) ints = {0};
    T(Rects) rects = {0};
    T(Dirents) dirents = {0};
    bool right = true;
    if (s->kind == INTS) {
        right = CODEC(get_ints)(&in, s->message, &ints, s->swapped) == s->end && COUNT(ints) == data->count &&
                memcmp(ITEMS(ints), data->items.ints, data->bytes) == 0;
    } else if (s->kind == RECTS) {
        right = CODEC(get_rects)(&in, s->message, &rects, s->swapped) == s->end && COUNT(rects) == data->count &&
                memcmp(ITEMS(rects), data->items.rects, data->bytes) == 0;
    } else {
        right = CODEC(get_dirents)(&in, s->message, &dirents, s->swapped) == s->end && COUNT(dirents) == data->count;
        for (uint32_t i = 0; right && i < data->count; i++) {
            const T(Dirent) *const entry = &ITEMS(dirents)[i];
            right = same_dirent(&data->items.dirents[i], entry->name, entry->info.fields, entry->info.tag);
        }
    }
    if (!s->borrow)
        LET_GO(Ints, ints), LET_GO(Rects, rects), LET_GO(Dirents, dirents);
    return right;
}

static void end(void *state)
{
    struct state *const s = state;
    if (s->kind == DIRENTS)
        LET_GO(Dirents, s->dirents);
    free(s->message);
    free(s->arena);
    free(s);
}

static const struct implementation corba = {STYLE, begin, encode, decode, is_right, end};
IMPLEMENTATION(corba)
static const struct implementation corba_borrow = {STYLE "-borrow", begin_borrow, NULL, decode, is_right, end};
IMPLEMENTATION(corba_borrow)
static const struct implementation corba_swap = {STYLE "-swap", begin_swap, encode, decode, is_right, end};
IMPLEMENTATION(corba_swap)
static const struct implementation corba_swap_borrow = {STYLE "-borrow-swap", begin_swap_borrow, NULL, decode, is_right, end};
IMPLEMENTATION(corba_swap_borrow)
