/* SPDX-License-Identifier: MIT-0 */
/* What every value must withstand, whatever its type: CHECK_VALUE(T, type, pointer). Seeded; the same on every run. */
#ifndef CHECK_H
#define CHECK_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "whittle_codec.h"

#define CHECK(condition) \
    ((condition) ? (void)0 : (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), abort()))

/* The encoding says of each part which it is: what is cut may be a value, to which the rest is more. */
#ifndef TAGGED
#define TAGGED 0
#endif

static uint64_t seed = 20000101;

static inline uint32_t any(uint32_t below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % below;
}

/* A copy of exactly these bytes, so that sanitizers see a read beyond them. */
static inline char *exactly(const char *bytes, size_t n)
{
    char *const copy = (char *)malloc(n == 0 ? 1 : n);
    CHECK(copy != NULL);
    memcpy(copy, bytes, n);
    return copy;
}

static inline bool is_zero(const void *value, size_t n)
{
    const char *const bytes = (const char *)value;
    size_t i;
    for (i = 0; i < n; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

/* Round trip, equality, copy, text, room, truncation, mutation. */
#define DEFINE_CHECK(T, TYPE)                                                                                          \
    static inline void check_##T(TYPE *value)                                                                          \
    {                                                                                                                  \
        size_t size, written, used, i, n;                                                                              \
        TYPE got, copy;                                                                                                \
        const struct whittle_codec_limits limits = {1 << 20, 50};                                                      \
        char text[4096], other[4096];                                                                                  \
        CHECK(T##_size(value, &size) == WHITTLE_CODEC_OK);                                                             \
        char *const bytes = exactly("", 0), *const buffer = (char *)malloc(size + 1);                                  \
        CHECK(buffer != NULL);                                                                                         \
        char *const exact = (char *)malloc(size == 0 ? 1 : size);                                                      \
        CHECK(T##_encode(value, exact, size, &written) == WHITTLE_CODEC_OK && written == size);                        \
        CHECK(T##_encode(value, buffer, size + 1, NULL) == WHITTLE_CODEC_OK && memcmp(buffer, exact, size) == 0);      \
        for (i = 0; i < size; i++) {                                                                                   \
            char *const small = (char *)malloc(i == 0 ? 1 : i);                                                        \
            CHECK(T##_encode(value, small, i, &written) == WHITTLE_CODEC_NO_ROOM && written == 0);                     \
            free(small);                                                                                               \
        }                                                                                                              \
        CHECK(size == 0 || T##_encode(value, NULL, 0, NULL) == WHITTLE_CODEC_NO_ROOM);                                 \
        memset(&got, 0x5a, sizeof got);                                                                                \
        CHECK(T##_decode(&got, exact, size, NULL, NULL) == WHITTLE_CODEC_OK);                                          \
        CHECK(T##_equal(value, &got) && T##_equal(&got, value) && T##_equal(&got, &got));                              \
        CHECK(T##_encode(&got, buffer, size, NULL) == WHITTLE_CODEC_OK && memcmp(buffer, exact, size) == 0);           \
        memset(&copy, 0x5a, sizeof copy);                                                                              \
        CHECK(T##_copy(&copy, &got) == WHITTLE_CODEC_OK && T##_equal(&copy, &got));                                    \
        n = T##_format(value, text, sizeof text);                                                                      \
        CHECK(n < sizeof text && strlen(text) == n && T##_format(value, NULL, 0) == n);                                \
        for (i = 1; i < n; i += 7)                                                                                     \
            CHECK(T##_format(value, other, i) == n && strlen(other) == i - 1 && memcmp(text, other, i - 1) == 0);      \
        T##_free(&got);                                                                                                \
        CHECK(is_zero(&got, sizeof got));                                                                              \
        CHECK(T##_format(&copy, other, sizeof other) == n && strcmp(text, other) == 0);                                \
        CHECK(T##_encode(&copy, buffer, size, NULL) == WHITTLE_CODEC_OK && memcmp(buffer, exact, size) == 0);          \
        T##_free(&copy);                                                                                               \
        /* Bytes behind the value. */                                                                                  \
        memcpy(buffer, exact, size);                                                                                   \
        buffer[size] = 0;                                                                                              \
        CHECK(T##_decode(&got, buffer, size + 1, NULL, NULL) == WHITTLE_CODEC_MALFORMED && is_zero(&got, sizeof got)); \
        CHECK(TAGGED || (T##_decode(&got, buffer, size + 1, &used, NULL) == WHITTLE_CODEC_OK && used == size));        \
        T##_free(&got);                                                                                                \
        for (i = 0; i < size; i++) {                                                                                   \
            char *const cut = exactly(exact, i);                                                                       \
            if (T##_decode(&got, cut, i, &used, NULL) == WHITTLE_CODEC_OK) {                                           \
                CHECK(TAGGED && used == i && T##_size(&got, &used) == WHITTLE_CODEC_OK);                               \
                T##_free(&got);                                                                                        \
            }                                                                                                          \
            CHECK((TAGGED || used == 0) && is_zero(&got, sizeof got));                                                 \
            free(cut);                                                                                                 \
        }                                                                                                              \
        for (i = 0; i < 3000 && size > 0; i++) {                                                                       \
            char *const hostile = exactly(exact, size);                                                                \
            uint32_t flips = 1 + any(4);                                                                               \
            for (; flips > 0; flips--) {                                                                               \
                const uint32_t at = any((uint32_t)size);                                                               \
                hostile[at] = (char)(hostile[at] ^ (1 << any(8)));                                                     \
            }                                                                                                          \
            if (T##_decode(&got, hostile, size, NULL, any(2) == 0 ? &limits : NULL) == WHITTLE_CODEC_OK) {             \
                size_t again;                                                                                          \
                CHECK(T##_size(&got, &again) == WHITTLE_CODEC_OK);                                                     \
                char *const back = (char *)malloc(again + 1);                                                          \
                CHECK(T##_encode(&got, back, again, &written) == WHITTLE_CODEC_OK && written == again);                \
                free(back);                                                                                            \
                CHECK(T##_copy(&copy, &got) == WHITTLE_CODEC_OK && T##_equal(&copy, &got));                            \
                T##_free(&copy);                                                                                       \
                (void)T##_format(&got, text, sizeof text);                                                             \
                T##_free(&got);                                                                                        \
            } else {                                                                                                   \
                CHECK(is_zero(&got, sizeof got));                                                                      \
            }                                                                                                          \
            free(hostile);                                                                                             \
        }                                                                                                              \
        free(bytes);                                                                                                   \
        free(buffer);                                                                                                  \
        free(exact);                                                                                                   \
    }

#endif
