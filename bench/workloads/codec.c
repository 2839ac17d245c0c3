/* Values without a connection: what `whittle compile --link none` makes of flick.x, in the encoding that WHO names. */
#include "bench.h"
#include "flick.h"
#include <stdlib.h>
#include <string.h>

/* Items lie as those of the workloads do. */
union value { struct intseq ints; struct rectseq rects; struct direntseq dirents; };
struct state { enum workload workload; union value value; char *bytes; size_t room, size; };

static enum whittle_codec_status encode_one(struct state *s)
{
    switch (s->workload) {
    case INTS: return intseq_encode(&s->value.ints, s->bytes, s->room, &s->size);
    case RECTS: return rectseq_encode(&s->value.rects, s->bytes, s->room, &s->size);
    default: return direntseq_encode(&s->value.dirents, s->bytes, s->room, &s->size);
    }
}

static void decode_one(const struct state *s, union value *value)
{
    enum whittle_codec_status status;
    switch (s->workload) {
    case INTS: status = intseq_decode(&value->ints, s->bytes, s->size, NULL, NULL); break;
    case RECTS: status = rectseq_decode(&value->rects, s->bytes, s->size, NULL, NULL); break;
    default: status = direntseq_decode(&value->dirents, s->bytes, s->size, NULL, NULL); break;
    }
    if (status != WHITTLE_CODEC_OK)
        abort();
}

static void free_one(const struct state *s, union value *value)
{
    switch (s->workload) {
    case INTS: intseq_free(&value->ints); break;
    case RECTS: rectseq_free(&value->rects); break;
    default: direntseq_free(&value->dirents); break;
    }
}

static void *begin(const struct data *data)
{
    struct state *const s = calloc(1, sizeof *s);
    s->workload = data->workload;
    s->value.ints.length = data->count;
    s->value.ints.items = data->items.ints;
    /* Numbers of any sign, with a little more room than they take. */
    s->room = 4 * data->bytes + 64;
    s->bytes = malloc(s->room);
    if (s->bytes == NULL || encode_one(s) != WHITTLE_CODEC_OK)
        abort();
    s->room = s->size + 64;
    return s;
}

static void encode(void *state, size_t times)
{
    struct state *const s = state;
    while (times-- > 0) {
        if (encode_one(s) != WHITTLE_CODEC_OK)
            abort();
        BENCH_BARRIER();
    }
}

static void decode(void *state, size_t times)
{
    const struct state *const s = state;
    while (times-- > 0) {
        union value value;
        decode_one(s, &value);
        BENCH_BARRIER();
        free_one(s, &value);
    }
}

static int is_right(void *state, const struct data *data)
{
    struct state *const s = state;
    union value value;
    int right = 1;
    encode(s, 1);
    decode_one(s, &value);
    if (data->workload != DIRENTS)
        right = memcmp(value.ints.items, data->items.ints, data->bytes) == 0;
    for (uint32_t i = 0; i < data->count && data->workload == DIRENTS; i++) {
        const struct direntry *const v = &value.dirents.items[i];
        right = right && same_dirent(&data->items.dirents[i], v->name, v->info.fields, v->info.tag);
    }
    free_one(s, &value);
    return right;
}

static void end(void *state)
{
    struct state *const s = state;
    free(s->bytes);
    free(s);
}

static const struct implementation codec = {WHO, begin, encode, decode, is_right, end};
IMPLEMENTATION(codec)
