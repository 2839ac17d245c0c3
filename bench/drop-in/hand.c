/* The careful programmer of ../peers/hand_marshal.c, with wide instructions and without. */
#include "../peers/hand_marshal.c"
#include "bench.h"

struct state { const struct data *data; struct hand_dirent *dirents; char *message; size_t size; int scalar; };

static void *begin(const struct data *data)
{
    struct state *const s = calloc(1, sizeof *s);
    s->data = data;
    s->message = malloc(data->bytes + 64);
    if (data->workload == DIRENTS) {
        s->dirents = malloc(data->count * sizeof *s->dirents);
        for (uint32_t i = 0; i < data->count; i++) {
            s->dirents[i].name = data->items.dirents[i].name;
            memcpy(s->dirents[i].fields, data->items.dirents[i].fields, sizeof s->dirents[i].fields);
            memcpy(s->dirents[i].tag, data->items.dirents[i].tag, 16);
        }
    }
    return s;
}

static void *begin_scalar(const struct data *data)
{
    struct state *const s = begin(data);
    s->scalar = 1;
    return s;
}

static void encode(void *state, size_t times)
{
    struct state *const s = state;
    hand_init(s->scalar);
    while (times-- > 0) {
        s->size = s->data->workload == DIRENTS ? hand_encode_dirents(s->message, s->dirents, s->data->count)
                                               : hand_encode_words(s->message, s->data->items.ints, s->data->count,
                                                                   s->data->workload == RECTS ? 4 : 1);
        BENCH_BARRIER();
    }
}

static void decode(void *state, size_t times)
{
    struct state *const s = state;
    hand_init(s->scalar);
    while (times-- > 0) {
        uint32_t count;
        if (s->data->workload == DIRENTS) {
            struct hand_dirent *const v = hand_decode_dirents(s->message, s->size, &count);
            BENCH_BARRIER();
            hand_free_dirents(v, count);
        } else {
            void *const v = hand_decode_words(s->message, s->size, &count, s->data->workload == RECTS ? 4 : 1);
            BENCH_BARRIER();
            free(v);
        }
    }
}

static int is_right(void *state, const struct data *data)
{
    struct state *const s = state;
    uint32_t count;
    int right = 1;
    encode(s, 1);
    if (data->workload != DIRENTS) {
        void *const v = hand_decode_words(s->message, s->size, &count, data->workload == RECTS ? 4 : 1);
        right = v != NULL && count == data->count && memcmp(v, data->items.ints, data->bytes) == 0;
        free(v);
        return right;
    }
    struct hand_dirent *const v = hand_decode_dirents(s->message, s->size, &count);
    for (uint32_t i = 0; i < data->count; i++)
        right = right && v != NULL && same_dirent(&data->items.dirents[i], v[i].name, v[i].fields, v[i].tag);
    hand_free_dirents(v, count);
    return right;
}

static void end(void *state)
{
    struct state *const s = state;
    free(s->dirents);
    free(s->message);
    free(s);
}

const struct implementation hand = {"hand", begin, encode, decode, is_right, end};
const struct implementation hand_scalar = {"hand-scalar", begin_scalar, encode, decode, is_right, end};
