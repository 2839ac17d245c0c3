/*
 * XDR by direct stubs, compiled once for each set of them, with WHO and WHO_IN_PLACE defined. Decoded as results are at a
 * client: allocated, and released by T_free. And as arguments are at a server: the message is put into a buffer, as receiving
 * it would; texts and words stay there, what does not lies in an arena that is used again.
 */
#include "bench.h"
#include "codec.h"
#include <stdlib.h>
#include <string.h>

/* Names end with a NUL, or have their length beside them; these have 116 characters. */
#ifdef COUNTED
#define SET_NAME(entry, text) ((entry).name.items = (text), (entry).name.length = (uint32_t)strlen(text))
#define NAME_OF(entry) name_of(&(entry).name)

static const char *name_of(const struct whittle_text *name)
{
    static char text[256];
    memcpy(text, name->items, name->length);
    text[name->length] = 0;
    return text;
}
#else
#define SET_NAME(entry, text) ((entry).name = (text))
#define NAME_OF(entry) ((entry).name)
#endif

union value { struct intseq ints; struct rectseq rects; struct direntseq dirents; };

struct state {
    enum workload workload;
    union value value;
    char *message, *end;
    size_t room;
    char *received, *arena, *arena_at;
};

/* The arena of the message that is being read; there is one thread. */
static struct state *reading;

static void *from_arena(struct whittle_xdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    char *const storage = reading->arena_at;
    (void)in;
    reading->arena_at += (size * count + 15) & ~(size_t)15;
    if (release != NULL)
        memset(storage, 0, size * count);
    return storage;
}

static void *begin(const struct data *data)
{
    struct state *const s = calloc(1, sizeof *s);
    s->workload = data->workload;
    s->room = data->bytes + 64;
    s->message = malloc(s->room);
    s->received = malloc(s->room);
    s->arena = malloc(2 * data->bytes + 4096);
    /* Integers and rectangles are laid out as the bench has them. */
    s->value.ints = (struct intseq){data->count, data->items.ints};
    if (data->workload == DIRENTS) {
        struct direntry *const items = calloc(data->count, sizeof *items);
        for (uint32_t i = 0; i < data->count; i++) {
            SET_NAME(items[i], data->items.dirents[i].name);
            memcpy(items[i].info.fields, data->items.dirents[i].fields, sizeof items[i].info.fields);
            memcpy(items[i].info.tag, data->items.dirents[i].tag, sizeof items[i].info.tag);
        }
        s->value.dirents.items = items;
    }
    return s;
}

static void encode(void *state, size_t times)
{
    struct state *const s = state;
    while (times-- > 0) {
        struct whittle_xdr_out out = {s->message, s->message + s->room, NULL, NULL, 0};
        switch (s->workload) {
        case INTS: s->end = put_ints(&out, s->message, &s->value.ints); break;
        case RECTS: s->end = put_rects(&out, s->message, &s->value.rects); break;
        default: s->end = put_dirents(&out, s->message, &s->value.dirents); break;
        }
        if (s->end == NULL)
            abort();
        BENCH_BARRIER();
    }
}

/* A stub calls one routine: nothing stands between. */
static inline __attribute__((always_inline)) void get(struct state *s, struct whittle_xdr_in *in, const char *message,
                                                       union value *value)
{
    const char *end;
    memset(value, 0, sizeof *value);
    switch (s->workload) {
    case INTS: end = get_ints(in, message, &value->ints); break;
    case RECTS: end = get_rects(in, message, &value->rects); break;
    default: end = get_dirents(in, message, &value->dirents); break;
    }
    if (end == NULL)
        abort();
    BENCH_BARRIER();
}

static inline void get_allocated(struct state *s, union value *value)
{
    struct whittle_xdr_in in = {.end = s->end};
    get(s, &in, s->message, value);
}

/* Returns where the message ends. */
static const char *receive(struct state *s)
{
    const size_t size = (size_t)(s->end - s->message);
    memcpy(s->received, s->message, size);
    BENCH_BARRIER();
    return s->received + size;
}

static inline void get_in_place(struct state *s, union value *value)
{
    struct whittle_xdr_in in = {.end = receive(s), .borrow = true, .allocate = from_arena};
    reading = s;
    s->arena_at = s->arena;
    get(s, &in, s->received, value);
}

static void release(const struct state *s, union value *value)
{
    switch (s->workload) {
    case INTS: intseq_free(&value->ints); break;
    case RECTS: rectseq_free(&value->rects); break;
    default: direntseq_free(&value->dirents); break;
    }
}

static void decode(void *state, size_t times)
{
    while (times-- > 0) {
        union value value;
        get_allocated(state, &value);
        release(state, &value);
    }
}

static void decode_in_place(void *state, size_t times)
{
    while (times-- > 0) {
        union value value;
        get_in_place(state, &value);
    }
}

#ifdef WHO_RECEIVED
/* Allocated, out of a buffer into which the message is put first. */
static void decode_received(void *state, size_t times)
{
    struct state *const s = state;
    while (times-- > 0) {
        union value value;
        struct whittle_xdr_in in = {.end = receive(s)};
        get(s, &in, s->received, &value);
        release(state, &value);
    }
}
#endif

static int is_same(const union value *value, const struct data *data)
{
    int right = value->ints.length == data->count;
    if (data->workload != DIRENTS)
        return right && memcmp(value->ints.items, data->items.ints, data->bytes) == 0;
    for (uint32_t i = 0; right && i < data->count; i++) {
        const struct direntry *const entry = &value->dirents.items[i];
        right = same_dirent(&data->items.dirents[i], NAME_OF(*entry), entry->info.fields, entry->info.tag);
    }
    return right;
}

static int is_right(void *state, const struct data *data)
{
    union value allocated, in_place;
    encode(state, 1);
    get_allocated(state, &allocated);
    get_in_place(state, &in_place);
    const int right = is_same(&allocated, data) && is_same(&in_place, data);
    release(state, &allocated);
    return right;
}

static void end(void *state)
{
    struct state *const s = state;
    if (s->workload == DIRENTS)
        free(s->value.dirents.items);
    free(s->message);
    free(s->received);
    free(s->arena);
    free(s);
}

const struct implementation direct = {WHO, begin, encode, decode, is_right, end};
IMPLEMENTATION(direct)
static const struct implementation in_place = {WHO_IN_PLACE, begin, NULL, decode_in_place, is_right, end};
IMPLEMENTATION(in_place)
#ifdef WHO_RECEIVED
static const struct implementation received = {WHO_RECEIVED, begin, NULL, decode_received, is_right, end};
IMPLEMENTATION(received)
#endif
