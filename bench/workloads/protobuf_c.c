/* protobuf-c: messages that point at the user's data, filled before the clock runs; decoding allocates piece by piece and frees. */
#include "bench.h"
#include "flick.pb-c.h"
#include <stdlib.h>
#include <string.h>

struct state {
    const struct data *given;
    union { Flick__Ints ints; Flick__Rects rects; Flick__Dirents dirents; } message;
    /* What messages are made of: `count` of each, and two points for a rectangle. */
    void **items;
    Flick__Rect *rects;
    Flick__Point *points;
    Flick__Dirent *dirents;
    Flick__StatInfo *infos;
    uint8_t *bytes;
    size_t size;
};

static void fill_rects(struct state *s, const struct data *data)
{
    s->rects = calloc(data->count, sizeof *s->rects);
    s->points = calloc(data->count, 2 * sizeof *s->points);
    for (uint32_t i = 0; i < data->count; i++) {
        const int32_t *const w = data->items.rects[i].words;
        Flick__Point *const min = &s->points[2 * i], *const max = min + 1;
        flick__rect__init(&s->rects[i]);
        flick__point__init(min);
        flick__point__init(max);
        min->x = w[0], min->y = w[1], max->x = w[2], max->y = w[3];
        s->rects[i].min = min, s->rects[i].max = max;
        s->items[i] = &s->rects[i];
    }
}

static void fill_dirents(struct state *s, const struct data *data)
{
    s->dirents = calloc(data->count, sizeof *s->dirents);
    s->infos = calloc(data->count, sizeof *s->infos);
    for (uint32_t i = 0; i < data->count; i++) {
        struct dirent_item *const item = &data->items.dirents[i];
        flick__dirent__init(&s->dirents[i]);
        flick__stat_info__init(&s->infos[i]);
        s->infos[i].n_fields = 30;
        s->infos[i].fields = item->fields;
        s->infos[i].tag = (ProtobufCBinaryData){16, item->tag};
        s->dirents[i].name = item->name;
        s->dirents[i].info = &s->infos[i];
        s->items[i] = &s->dirents[i];
    }
}

static void *begin(const struct data *data)
{
    struct state *const s = calloc(1, sizeof *s);
    s->given = data;
    s->items = calloc(data->count, sizeof *s->items);
    if (data->workload == INTS) {
        flick__ints__init(&s->message.ints);
        s->message.ints.n_items = data->count;
        s->message.ints.items = data->items.ints;
    } else if (data->workload == RECTS) {
        flick__rects__init(&s->message.rects);
        fill_rects(s, data);
        s->message.rects.n_items = data->count;
        s->message.rects.items = (Flick__Rect **)s->items;
    } else {
        flick__dirents__init(&s->message.dirents);
        fill_dirents(s, data);
        s->message.dirents.n_items = data->count;
        s->message.dirents.items = (Flick__Dirent **)s->items;
    }
    s->bytes = malloc(protobuf_c_message_get_packed_size(&s->message.ints.base));
    return s;
}

static void encode(void *state, size_t times)
{
    struct state *const s = state;
    while (times-- > 0) {
#ifdef MEASURED
        /* As a user must who does not know that there is room: packing does not ask. */
        if (protobuf_c_message_get_packed_size(&s->message.ints.base) != s->size && s->size != 0)
            abort();
#endif
        s->size = protobuf_c_message_pack(&s->message.ints.base, s->bytes);
        BENCH_BARRIER();
    }
}

static ProtobufCMessage *decoded(const struct state *s)
{
    const ProtobufCMessage *const like = &s->message.ints.base;
    ProtobufCMessage *const message = protobuf_c_message_unpack(like->descriptor, NULL, s->size, s->bytes);
    if (message == NULL)
        abort();
    return message;
}

static void decode(void *state, size_t times)
{
    const struct state *const s = state;
    while (times-- > 0) {
        ProtobufCMessage *const message = decoded(s);
        BENCH_BARRIER();
        protobuf_c_message_free_unpacked(message, NULL);
    }
}

static int is_same_rect(const Flick__Rect *rect, const int32_t *w)
{
    return rect->min->x == w[0] && rect->min->y == w[1] && rect->max->x == w[2] && rect->max->y == w[3];
}

static int is_right(void *state, const struct data *data)
{
    struct state *const s = state;
    encode(s, 1);
    ProtobufCMessage *const message = decoded(s);
    const Flick__Ints *const ints = (const Flick__Ints *)message;
    const Flick__Rects *const rects = (const Flick__Rects *)message;
    const Flick__Dirents *const dirents = (const Flick__Dirents *)message;
    int right = 1;
    if (data->workload == INTS)
        right = ints->n_items == data->count && memcmp(ints->items, data->items.ints, data->bytes) == 0;
    for (uint32_t i = 0; i < data->count && data->workload == RECTS; i++)
        right = right && is_same_rect(rects->items[i], data->items.rects[i].words);
    for (uint32_t i = 0; i < data->count && data->workload == DIRENTS; i++) {
        const Flick__Dirent *const entry = dirents->items[i];
        right = right && entry->info->n_fields == 30 && entry->info->tag.len == 16 &&
                same_dirent(&data->items.dirents[i], entry->name, entry->info->fields, entry->info->tag.data);
    }
    protobuf_c_message_free_unpacked(message, NULL);
    return right;
}

static void end(void *state)
{
    struct state *const s = state;
    free(s->items);
    free(s->rects);
    free(s->points);
    free(s->dirents);
    free(s->infos);
    free(s->bytes);
    free(s);
}

#ifndef WHO
#define WHO "protobuf-c"
#endif
static const struct implementation protobuf_c = {WHO, begin, encode, decode, is_right, end};
IMPLEMENTATION(protobuf_c)
