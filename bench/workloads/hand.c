/*
 * The programmer of ../peers/hand_marshal.c, with wide instructions and without; and decoding as a server may: the message is
 * put into a buffer, as receiving it would, and what comes out lies in that buffer and in storage that is used again.
 */
#include "../peers/hand_marshal.h"
#include "bench.h"
#include <stdlib.h>
#include <string.h>

struct state {
    const struct data *data;
    struct hand_dirent *dirents;
    char *message;
    size_t room, size;
    int scalar;
    char *received;
    struct hand_dirent *kept;
};

static void *begin(const struct data *data)
{
    struct state *const s = calloc(1, sizeof *s);
    s->data = data;
    s->room = data->bytes + 64;
    s->message = malloc(s->room);
    s->received = malloc(s->room);
    s->kept = malloc(data->workload == DIRENTS ? data->count * sizeof *s->kept : 1);
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
    const struct data *const data = s->data;
    hand_init(s->scalar);
    while (times-- > 0) {
        s->size = data->workload == DIRENTS
                      ? hand_encode_dirents(s->message, s->room, s->dirents, data->count)
                      : hand_encode_words(s->message, s->room, data->items.ints, data->count, data->workload == RECTS ? 4 : 1);
        if (s->size == 0)
            abort();
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

/* Only words: entries are in storage as it is. */
static void *begin_words(const struct data *data)
{
    return data->workload == DIRENTS ? NULL : begin(data);
}

static void decode_into(void *state, size_t times)
{
    struct state *const s = state;
    hand_init(s->scalar);
    while (times-- > 0) {
        struct hand_words v;
        if (!hand_decode_words_into(s->message, s->size, &v, s->data->workload == RECTS ? 4 : 1))
            abort();
        BENCH_BARRIER();
        hand_free_words(&v);
    }
}

static void *received(struct state *s)
{
    memcpy(s->received, s->message, s->size);
    BENCH_BARRIER();
    return s->received;
}

static void decode_in_place(void *state, size_t times)
{
    struct state *const s = state;
    hand_init(s->scalar);
    while (times-- > 0) {
        uint32_t count;
        char *const message = received(s);
        if (s->data->workload == DIRENTS
                ? hand_decode_dirents_in_place(message, s->size, s->kept, s->data->count) < 0
                : hand_decode_words_in_place(message, s->size, &count, s->data->workload == RECTS ? 4 : 1) == NULL)
            abort();
        BENCH_BARRIER();
    }
}

static int is_right_in_place(void *state, const struct data *data)
{
    struct state *const s = state;
    int right = 1;
    encode(s, 1);
    decode_in_place(s, 1);
    if (data->workload != DIRENTS)
        return memcmp(s->received + 4, data->items.ints, data->bytes) == 0;
    for (uint32_t i = 0; i < data->count; i++)
        right = right && same_dirent(&data->items.dirents[i], s->kept[i].name, s->kept[i].fields, s->kept[i].tag);
    return right;
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
    free(s->received);
    free(s->kept);
    free(s);
}

static const struct implementation hand = {"hand", begin, encode, decode, is_right, end};
IMPLEMENTATION(hand)
static const struct implementation hand_scalar = {"hand-scalar", begin_scalar, encode, decode, is_right, end};
IMPLEMENTATION(hand_scalar)
static const struct implementation hand_struct = {"hand-struct", begin_words, NULL, decode_into, is_right, end};
IMPLEMENTATION(hand_struct)
static const struct implementation hand_in_place = {"hand-in-place", begin, NULL, decode_in_place, is_right_in_place, end};
IMPLEMENTATION(hand_in_place)
