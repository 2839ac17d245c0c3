/*
 * Hand-written XDR marshalling of Flick's three workloads: what a C programmer writes who knows the machine.
 * The yardstick called `hand` in the benches; `hand_scalar` is the same without wide instructions.
 * It promises what generated code promises: nothing is written beyond the room that there is, nothing read beyond the message,
 * counts are held against the message before anything is allocated, a text has no NUL within.
 */
#include "hand_marshal.h"
#include <immintrin.h>
#include <stdlib.h>
#include <string.h>

/* `to` may be `from`. */
static void swap_scalar(void *to, const void *from, size_t words)
{
    for (size_t i = 0; i < words; i++) {
        uint32_t w;
        memcpy(&w, (const char *)from + 4 * i, 4);
        w = __builtin_bswap32(w);
        memcpy((char *)to + 4 * i, &w, 4);
    }
}

/* The last vector is read before anything is written, and covers what the others leave. */
__attribute__((target("avx2"))) static void swap_avx2(void *to, const void *from, size_t words)
{
    const __m256i order = _mm256_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12,
                                           3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
    if (words < 8) {
        swap_scalar(to, from, words);
        return;
    }
    char *d = to, *const end = d + 4 * words - 32;
    const char *s = from;
    const __m256i last = _mm256_loadu_si256((const void *)(s + 4 * words - 32));
    for (; d < end; d += 32, s += 32)
        _mm256_storeu_si256((void *)d, _mm256_shuffle_epi8(_mm256_loadu_si256((const void *)s), order));
    _mm256_storeu_si256((void *)end, _mm256_shuffle_epi8(last, order));
}

__attribute__((target("avx512f,avx512bw"))) static void swap_avx512(void *to, const void *from, size_t words)
{
    const __m512i order = _mm512_broadcast_i32x4(_mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
    if (words < 16) {
        swap_avx2(to, from, words);
        return;
    }
    char *d = to, *const end = d + 4 * words - 64;
    const char *s = from;
    const __m512i last = _mm512_loadu_si512((const void *)(s + 4 * words - 64));
    for (; d < end; d += 64, s += 64)
        _mm512_storeu_si512((void *)d, _mm512_shuffle_epi8(_mm512_loadu_si512((const void *)s), order));
    _mm512_storeu_si512((void *)end, _mm512_shuffle_epi8(last, order));
}

static void (*swap)(void *, const void *, size_t) = swap_scalar;

void hand_init(int scalar)
{
    /* VBMI stands for the machines on which 512-bit vectors cost no clock speed. */
    swap = scalar || !__builtin_cpu_supports("avx2") ? swap_scalar
           : __builtin_cpu_supports("avx512vbmi")    ? swap_avx512
                                                     : swap_avx2;
}

static char *put_u32(char *out, uint32_t v)
{
    v = __builtin_bswap32(v);
    memcpy(out, &v, 4);
    return out + 4;
}

/* Count, then words. */
size_t hand_encode_words(char *out, size_t room, const int32_t *v, uint32_t count, uint32_t words_each)
{
    const size_t words = (size_t)count * words_each;
    if (4 + 4 * words > room || (v == NULL && count > 0))
        return 0;
    swap(put_u32(out, count), v, words);
    return 4 + 4 * words;
}

size_t hand_encode_dirents(char *out, size_t room, const struct hand_dirent *v, uint32_t count)
{
    const char *const end = out + room;
    char *p = out;
    if (room < 4 || (v == NULL && count > 0))
        return 0;
    p = put_u32(p, count);
    for (uint32_t i = 0; i < count; i++, v++) {
        if (v->name == NULL)
            return 0;
        const size_t len = strlen(v->name), padded = (len + 3) & ~(size_t)3;
        if (len > UINT32_MAX || 140 + padded > (size_t)(end - p))
            return 0;
        memset(p + padded, 0, 4);               /* the padding */
        p = put_u32(p, (uint32_t)len);
        memcpy(p, v->name, len);
        p += padded;
        swap(p, v->fields, 30);
        memcpy(p + 120, v->tag, 16);
        p += 136;
    }
    return (size_t)(p - out);
}

static uint32_t get_u32(const char *in)
{
    uint32_t v;
    memcpy(&v, in, 4);
    return __builtin_bswap32(v);
}

int32_t *hand_decode_words(const char *in, size_t size, uint32_t *count, uint32_t words_each)
{
    if (size < 4)
        return NULL;
    *count = get_u32(in);
    if (*count > (size - 4) / 4 / words_each)
        return NULL;
    int32_t *const v = malloc((size_t)*count * words_each * 4);
    if (v != NULL)
        swap(v, in + 4, (size_t)*count * words_each);
    return v;
}

int hand_decode_words_into(const char *in, size_t size, struct hand_words *v, uint32_t words_each)
{
    v->items = hand_decode_words(in, size, &v->count, words_each);
    return v->items != NULL;
}

void hand_free_words(struct hand_words *v)
{
    free(v->items);
    *v = (struct hand_words){0, NULL};
}

int32_t *hand_decode_words_in_place(char *in, size_t size, uint32_t *count, uint32_t words_each)
{
    if (size < 4)
        return NULL;
    *count = get_u32(in);
    if (*count > (size - 4) / 4 / words_each)
        return NULL;
    swap(in + 4, in + 4, (size_t)*count * words_each);
    return (int32_t *)(void *)(in + 4);
}

void hand_free_dirents(struct hand_dirent *v, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        free(v[i].name);
    free(v);
}

/* The text that an entry begins with, if all of the entry is there: its length, or -1. */
static ptrdiff_t name_length(const char *in, const char *end)
{
    const size_t left = (size_t)(end - in);
    if (left < 140)
        return -1;
    const size_t len = get_u32(in), padded = (len + 3) & ~(size_t)3;
    return padded > left - 140 || memchr(in + 4, 0, len) != NULL ? -1 : (ptrdiff_t)len;
}

struct hand_dirent *hand_decode_dirents(const char *in, size_t size, uint32_t *count)
{
    if (size < 4)
        return NULL;
    const char *const end = in + size;
    const uint32_t n = *count = get_u32(in);
    if (n > (size - 4) / 140)
        return NULL;
    struct hand_dirent *const v = malloc(n * sizeof *v);
    in += 4;
    for (uint32_t i = 0; v != NULL && i < n; i++) {
        const ptrdiff_t len = name_length(in, end);
        if (len < 0 || (v[i].name = malloc((size_t)len + 1)) == NULL) {
            hand_free_dirents(v, i);
            return NULL;
        }
        memcpy(v[i].name, in + 4, (size_t)len);
        v[i].name[len] = 0;
        in += 4 + (((size_t)len + 3) & ~(size_t)3);
        swap(v[i].fields, in, 30);
        memcpy(v[i].tag, in + 120, 16);
        in += 136;
    }
    return v;
}

/* The NUL stands on a byte that was read before. */
ptrdiff_t hand_decode_dirents_in_place(char *in, size_t size, struct hand_dirent *v, uint32_t most)
{
    char *const end = in + size;
    const uint32_t n = size < 4 ? UINT32_MAX : get_u32(in);
    if (n > most || n > (size - 4) / 140)
        return -1;
    in += 4;
    for (uint32_t i = 0; i < n; i++) {
        const ptrdiff_t len = name_length(in, end);
        if (len < 0)
            return -1;
        v[i].name = in + 4;
        in += 4 + (((size_t)len + 3) & ~(size_t)3);
        swap(v[i].fields, in, 30);
        memcpy(v[i].tag, in + 120, 16);
        v[i].name[len] = 0;
        in += 136;
    }
    return n;
}
