/* Cyclone DDS: its serializer alone, little-endian (this machine's) and big-endian; decoding normalizes, reads, frees. */
#include "bench.h"
#include "flick_dds.h"
#include <dds/ddsi/ddsi_cdrstream.h>
#include <stdlib.h>
#include <string.h>

enum { XCDR = 1 };

struct state {
    const struct data *given;
    const uint32_t *operations;
    union { flickdds_Ints ints; flickdds_Rects rects; flickdds_Dirents dirents; } value;
    char *copy;     /* what is normalized in place */
    dds_ostream_t out;
    int big;
};

static void fill_dirents(flickdds_Dirents *to, const struct data *data)
{
    to->items._buffer = calloc(data->count, sizeof *to->items._buffer);
    for (uint32_t i = 0; i < data->count; i++) {
        to->items._buffer[i].name = data->items.dirents[i].name;
        memcpy(to->items._buffer[i].info.fields, data->items.dirents[i].fields, 120);
        memcpy(to->items._buffer[i].info.tag, data->items.dirents[i].tag, 16);
    }
}

static void *begin_either(const struct data *data, int big)
{
    struct state *const s = calloc(1, sizeof *s);
    s->given = data;
    s->big = big;
    s->value.ints.items._maximum = s->value.ints.items._length = data->count;
    if (data->workload == DIRENTS)
        fill_dirents(&s->value.dirents, data);
    else
        s->value.ints.items._buffer = data->items.ints;
    s->operations = data->workload == INTS    ? flickdds_Ints_desc.m_ops
                    : data->workload == RECTS ? flickdds_Rects_desc.m_ops
                                              : flickdds_Dirents_desc.m_ops;
    s->copy = malloc(data->bytes + data->bytes / 8 + 4096);
    dds_ostream_init(&s->out, (uint32_t)data->bytes + 4096, XCDR);
    return s;
}

static void *begin(const struct data *data)
{
    return begin_either(data, 0);
}

static void *begin_big(const struct data *data)
{
    return begin_either(data, 1);
}

static void encode(void *state, size_t times)
{
    struct state *const s = state;
    while (times-- > 0) {
        s->out.m_index = 0;
        if (s->big)
            dds_stream_writeBE((dds_ostreamBE_t *)&s->out, (const char *)&s->value, s->operations);
        else
            dds_stream_write(&s->out, (const char *)&s->value, s->operations);
        BENCH_BARRIER();
    }
}

static void decode_one(struct state *s, void *value, int from_copy)
{
    dds_istream_t in;
    uint32_t at = 0;
    char *const bytes = from_copy ? s->copy : (char *)s->out.m_buffer;
    if (dds_stream_normalize_data(bytes, &at, s->out.m_index, s->big, XCDR, s->operations) == NULL)
        abort();
    dds_istream_init(&in, s->out.m_index, bytes, XCDR);
    dds_stream_read(&in, value, s->operations);
    dds_istream_fini(&in);
}

static void decode(void *state, size_t times)
{
    struct state *const s = state;
    while (times-- > 0) {
        flickdds_Dirents value;    /* all three are one sequence */
        memset(&value, 0, sizeof value);
        decode_one(s, &value, 0);
        BENCH_BARRIER();
        dds_stream_free_sample(&value, s->operations);
    }
}

static int is_right(void *state, const struct data *data)
{
    struct state *const s = state;
    union { flickdds_Ints ints; flickdds_Dirents dirents; } value;
    int right = 1;
    encode(s, 1);
    memcpy(s->copy, s->out.m_buffer, s->out.m_index);
    memset(&value, 0, sizeof value);
    decode_one(s, &value, 1);
    if (data->workload != DIRENTS)
        right = memcmp(value.ints.items._buffer, data->items.ints, data->bytes) == 0;
    for (uint32_t i = 0; i < data->count && data->workload == DIRENTS; i++) {
        const flickdds_Dirent *const v = &value.dirents.items._buffer[i];
        right = right && same_dirent(&data->items.dirents[i], v->name, v->info.fields, v->info.tag);
    }
    dds_stream_free_sample(&value, s->operations);
    return right;
}

static void end(void *state)
{
    struct state *const s = state;
    if (s->given->workload == DIRENTS)
        free(s->value.dirents.items._buffer);
    dds_ostream_fini(&s->out);
    free(s->copy);
    free(s);
}

static const struct implementation cyclone = {"cyclone", begin, encode, decode, is_right, end};
IMPLEMENTATION(cyclone)
/* Encoding alone: what it reads was turned to this machine's order in place, once. */
static const struct implementation cyclone_be = {"cyclone-be", begin_big, encode, NULL, is_right, end};
IMPLEMENTATION(cyclone_be)
