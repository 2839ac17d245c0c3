/*
 * Hand-written XDR marshalling of Flick's three workloads: what a careful C programmer writes.
 * The yardstick called `hand` in the benches; `hand_scalar` is the same without wide instructions.
 * Buffers are the caller's and large enough; nothing is checked on encode. Decoding checks counts and allocates as
 * rpcgen's does.
 */
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct hand_dirent { char *name; int32_t fields[30]; unsigned char tag[16]; };

static void swap_scalar(void *to, const void *from, size_t words)
{
    for (size_t i = 0; i < words; i++) {
        uint32_t w;
        memcpy(&w, (const char *)from + 4 * i, 4);
        w = __builtin_bswap32(w);
        memcpy((char *)to + 4 * i, &w, 4);
    }
}

__attribute__((target("avx2"))) static void swap_avx2(void *to, const void *from, size_t words)
{
    const __m256i order = _mm256_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12,
                                           3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
    char *d = to;
    const char *s = from;
    for (; words >= 8; words -= 8, d += 32, s += 32)
        _mm256_storeu_si256((void *)d, _mm256_shuffle_epi8(_mm256_loadu_si256((const void *)s), order));
    swap_scalar(d, s, words);
}

static void (*swap)(void *, const void *, size_t) = swap_scalar;

void hand_init(int scalar)
{
    swap = !scalar && __builtin_cpu_supports("avx2") ? swap_avx2 : swap_scalar;
}

static char *put_u32(char *out, uint32_t v)
{
    v = __builtin_bswap32(v);
    memcpy(out, &v, 4);
    return out + 4;
}

/* Integers, or rectangles as four words each: count, then words. Returns bytes written. */
size_t hand_encode_words(char *out, const int32_t *v, uint32_t count, uint32_t words_each)
{
    swap(put_u32(out, count), v, (size_t)count * words_each);
    return 4 + (size_t)count * words_each * 4;
}

size_t hand_encode_dirents(char *out, const struct hand_dirent *v, uint32_t count)
{
    char *p = put_u32(out, count);
    for (uint32_t i = 0; i < count; i++, v++) {
        const size_t len = strlen(v->name), room = (len + 3) & ~(size_t)3;
        memset(p + room, 0, 4);                 /* the padding */
        p = put_u32(p, (uint32_t)len);
        memcpy(p, v->name, len);
        p += room;
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

/* Returns the words, malloc'ed, or NULL. */
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

void hand_free_dirents(struct hand_dirent *v, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        free(v[i].name);
    free(v);
}

/* Returns the entries, each name malloc'ed, or NULL. */
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
        const size_t left = (size_t)(end - in), len = left < 4 ? 0 : get_u32(in), room = (len + 3) & ~(size_t)3;
        if (left < 140 || room > left - 140 || (v[i].name = malloc(len + 1)) == NULL) {
            hand_free_dirents(v, i);
            return NULL;
        }
        memcpy(v[i].name, in + 4, len);
        v[i].name[len] = 0;
        in += 4 + room;
        swap(v[i].fields, in, 30);
        memcpy(v[i].tag, in + 120, 16);
        in += 136;
    }
    return v;
}
