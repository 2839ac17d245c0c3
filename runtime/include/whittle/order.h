/* SPDX-License-Identifier: MIT-0 */
/*
 * Runs of words, host order to big-endian and back (the same swap, both ways). `to` may equal `from`, and stand before
 * it on machines where there is anything to swap; no other overlap; any alignment. Long runs go through a pointer that
 * starts at a resolver and is replaced atomically by the best routine for this machine: no constructors, no ifunc, no
 * compiler flags. The vectors are the compilers' own, so that no header of intrinsics has to be read.
 */
#ifndef WHITTLE_ORDER_H
#define WHITTLE_ORDER_H
#include <whittle/words.h>

/*: order_vectors needs attributes */
/* Who compiles for size has one loop over words, which compilers may widen, and nothing to choose from at run time. */
#if !WHITTLE_FOR_SIZE && (defined(__x86_64__) || defined(__i386__))
#define WHITTLE_ORDER_X86 1
#else
#define WHITTLE_ORDER_X86 0
#endif
#if !WHITTLE_FOR_SIZE && defined(__aarch64__)
#define WHITTLE_ORDER_NEON 1
#else
#define WHITTLE_ORDER_NEON 0
#endif
#if defined(__clang__) || __GNUC__ >= 12
#define WHITTLE_SHUFFLE(type, v, order) __builtin_shufflevector(v, v, order)
#else
#define WHITTLE_SHUFFLE(type, v, order) __builtin_shuffle(v, (type){order})
#endif
#define WHITTLE_BYTES4(b) b + 3, b + 2, b + 1, b
#define WHITTLE_BYTES8(b) b + 7, b + 6, b + 5, b + 4, WHITTLE_BYTES4(b)
#define WHITTLE_MASK32_16(b) WHITTLE_BYTES4(b), WHITTLE_BYTES4(b + 4), WHITTLE_BYTES4(b + 8), WHITTLE_BYTES4(b + 12)
#define WHITTLE_MASK64_16(b) WHITTLE_BYTES8(b), WHITTLE_BYTES8(b + 8)
#define WHITTLE_MASK32_32(b) WHITTLE_MASK32_16(b), WHITTLE_MASK32_16(b + 16)
#define WHITTLE_MASK64_32(b) WHITTLE_MASK64_16(b), WHITTLE_MASK64_16(b + 16)
#define WHITTLE_MASK32_64(b) WHITTLE_MASK32_32(b), WHITTLE_MASK32_32(b + 32)
#define WHITTLE_MASK64_64(b) WHITTLE_MASK64_32(b), WHITTLE_MASK64_32(b + 32)

/*: order_routine needs order_vectors */
/*
 * One routine for one vector width; `NARROWER` takes what is shorter than a vector. The first and the last vector are
 * loaded before anything is stored and stored last: they cover what whole aligned vectors leave, and they stay right
 * when to == from. Aligning stores pays on long runs alone, and in place, where it aligns loads, too; the routine itself
 * is aligned, so that the speed of its loop does not hang on what precedes it. Routines return where the words end, so
 * that those who call them last need nothing of their own behind the call.
 */
#define WHITTLE_ORDER_ROUTINE(NAME, ATTRIBUTES, WORD, BYTES, MASK, NARROWER)                                           \
    ATTRIBUTES __attribute__((aligned(64))) static char *NAME(void *to, const void *from, size_t bytes)               \
    {                                                                                                                  \
        typedef unsigned char vector __attribute__((vector_size(BYTES), aligned(1), may_alias));                      \
        char *t = (char *)to, *const end = t + bytes;                                                                  \
        const char *f = (const char *)from;                                                                            \
        const int aligns = bytes >= 32 * BYTES || (bytes >= 8 * BYTES && to == from);                                  \
        vector first, last;                                                                                            \
        if (bytes < BYTES)                                                                                             \
            return NARROWER(to, from, bytes);                                                                          \
        first = *(const vector *)f;                                                                                    \
        last = *(const vector *)(f + bytes - BYTES);                                                                   \
        if (bytes <= 2 * BYTES) {                                                                                      \
            *(vector *)to = WHITTLE_SHUFFLE(vector, first, MASK(0));                                                   \
            *(vector *)(end - BYTES) = WHITTLE_SHUFFLE(vector, last, MASK(0));                                         \
            return end;                                                                                                \
        }                                                                                                              \
        if (aligns) {                                                                                                  \
            const size_t skipped = BYTES - ((uintptr_t)t & (BYTES - 1) & ~(uintptr_t)(WORD - 1));                      \
            t += skipped;                                                                                              \
            f += skipped;                                                                                              \
        }                                                                                                              \
        for (; t + 4 * BYTES < end; t += 4 * BYTES, f += 4 * BYTES) {                                                  \
            const vector a = *(const vector *)f, b = *(const vector *)(f + BYTES);                                    \
            const vector c = *(const vector *)(f + 2 * BYTES), d = *(const vector *)(f + 3 * BYTES);                  \
            *(vector *)t = WHITTLE_SHUFFLE(vector, a, MASK(0));                                                        \
            *(vector *)(t + BYTES) = WHITTLE_SHUFFLE(vector, b, MASK(0));                                              \
            *(vector *)(t + 2 * BYTES) = WHITTLE_SHUFFLE(vector, c, MASK(0));                                          \
            *(vector *)(t + 3 * BYTES) = WHITTLE_SHUFFLE(vector, d, MASK(0));                                          \
        }                                                                                                              \
        if (t + BYTES < end) {                                                                                         \
            *(vector *)t = WHITTLE_SHUFFLE(vector, *(const vector *)f, MASK(0));                                       \
            if (t + 2 * BYTES < end) {                                                                                 \
                *(vector *)(t + BYTES) = WHITTLE_SHUFFLE(vector, *(const vector *)(f + BYTES), MASK(0));               \
                if (t + 3 * BYTES < end)                                                                               \
                    *(vector *)(t + 2 * BYTES) = WHITTLE_SHUFFLE(vector, *(const vector *)(f + 2 * BYTES), MASK(0));   \
            }                                                                                                          \
        }                                                                                                              \
        if (aligns)                                                                                                    \
            *(vector *)to = WHITTLE_SHUFFLE(vector, first, MASK(0));                                                   \
        *(vector *)(end - BYTES) = WHITTLE_SHUFFLE(vector, last, MASK(0));                                             \
        return end;                                                                                                    \
    }

/*: order32_scalar needs attributes */
WHITTLE_IN_PLACE char *whittle_order32_scalar(void *to, const void *from, size_t bytes)
{
    char *t = (char *)to;
    const char *f = (const char *)from;
    size_t i;
    for (i = 0; i < bytes; i += 4) {
        uint32_t word;
        memcpy(&word, f + i, 4);
        word = __builtin_bswap32(word);
        memcpy(t + i, &word, 4);
    }
    return t + bytes;
}

/*: order64_scalar needs attributes */
WHITTLE_IN_PLACE char *whittle_order64_scalar(void *to, const void *from, size_t bytes)
{
    char *t = (char *)to;
    const char *f = (const char *)from;
    size_t i;
    for (i = 0; i < bytes; i += 8) {
        uint64_t word;
        memcpy(&word, f + i, 8);
        word = __builtin_bswap64(word);
        memcpy(t + i, &word, 8);
    }
    return t + bytes;
}

/*: order32_long needs order_routine order32_scalar */
#if WHITTLE_ORDER_X86
WHITTLE_ORDER_ROUTINE(whittle_order32_ssse3, __attribute__((target("ssse3"))), 4, 16, WHITTLE_MASK32_16,
                      whittle_order32_scalar)
WHITTLE_ORDER_ROUTINE(whittle_order32_avx2, __attribute__((target("avx2"))), 4, 32, WHITTLE_MASK32_32,
                      whittle_order32_ssse3)
WHITTLE_ORDER_ROUTINE(whittle_order32_avx512, __attribute__((target("avx512bw"))), 4, 64, WHITTLE_MASK32_64,
                      whittle_order32_avx2)
static char *whittle_order32_resolve(void *to, const void *from, size_t bytes);
static char *(*whittle_order32_best)(void *, const void *, size_t) = whittle_order32_resolve;

/* VBMI stands for the machines on which 512-bit vectors cost no clock speed. */
WHITTLE_COLD char *whittle_order32_resolve(void *to, const void *from, size_t bytes)
{
    char *(*best)(void *, const void *, size_t) = whittle_order32_scalar;
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi"))
        best = whittle_order32_avx512;
    else if (__builtin_cpu_supports("avx2"))
        best = whittle_order32_avx2;
    else if (__builtin_cpu_supports("ssse3"))
        best = whittle_order32_ssse3;
    __atomic_store_n(&whittle_order32_best, best, __ATOMIC_RELAXED);
    return best(to, from, bytes);
}
#elif WHITTLE_ORDER_NEON
WHITTLE_ORDER_ROUTINE(whittle_order32_neon, , 4, 16, WHITTLE_MASK32_16, whittle_order32_scalar)
#endif

/* Returns where the words end. */
WHITTLE_IN_PLACE char *whittle_order32_end(void *to, const void *from, size_t bytes)
{
#if WHITTLE_BIG_ENDIAN
    if (to != from)
        memcpy(to, from, bytes);
    return (char *)to + bytes;
#elif WHITTLE_ORDER_X86
    return __atomic_load_n(&whittle_order32_best, __ATOMIC_RELAXED)(to, from, bytes);
#elif WHITTLE_ORDER_NEON
    return whittle_order32_neon(to, from, bytes);
#else
    return whittle_order32_scalar(to, from, bytes);
#endif
}

WHITTLE_IN_PLACE void whittle_order32_long(void *to, const void *from, size_t bytes)
{
    whittle_order32_end(to, from, bytes);
}

/*: order64_long needs order_routine order64_scalar */
#if WHITTLE_ORDER_X86
WHITTLE_ORDER_ROUTINE(whittle_order64_ssse3, __attribute__((target("ssse3"))), 8, 16, WHITTLE_MASK64_16,
                      whittle_order64_scalar)
WHITTLE_ORDER_ROUTINE(whittle_order64_avx2, __attribute__((target("avx2"))), 8, 32, WHITTLE_MASK64_32,
                      whittle_order64_ssse3)
WHITTLE_ORDER_ROUTINE(whittle_order64_avx512, __attribute__((target("avx512bw"))), 8, 64, WHITTLE_MASK64_64,
                      whittle_order64_avx2)
static char *whittle_order64_resolve(void *to, const void *from, size_t bytes);
static char *(*whittle_order64_best)(void *, const void *, size_t) = whittle_order64_resolve;

WHITTLE_COLD char *whittle_order64_resolve(void *to, const void *from, size_t bytes)
{
    char *(*best)(void *, const void *, size_t) = whittle_order64_scalar;
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi"))
        best = whittle_order64_avx512;
    else if (__builtin_cpu_supports("avx2"))
        best = whittle_order64_avx2;
    else if (__builtin_cpu_supports("ssse3"))
        best = whittle_order64_ssse3;
    __atomic_store_n(&whittle_order64_best, best, __ATOMIC_RELAXED);
    return best(to, from, bytes);
}
#elif WHITTLE_ORDER_NEON
WHITTLE_ORDER_ROUTINE(whittle_order64_neon, , 8, 16, WHITTLE_MASK64_16, whittle_order64_scalar)
#endif

/* Returns where the words end. */
WHITTLE_IN_PLACE char *whittle_order64_end(void *to, const void *from, size_t bytes)
{
#if WHITTLE_BIG_ENDIAN
    if (to != from)
        memcpy(to, from, bytes);
    return (char *)to + bytes;
#elif WHITTLE_ORDER_X86
    return __atomic_load_n(&whittle_order64_best, __ATOMIC_RELAXED)(to, from, bytes);
#elif WHITTLE_ORDER_NEON
    return whittle_order64_neon(to, from, bytes);
#else
    return whittle_order64_scalar(to, from, bytes);
#endif
}

WHITTLE_IN_PLACE void whittle_order64_long(void *to, const void *from, size_t bytes)
{
    whittle_order64_end(to, from, bytes);
}

/*: order_short needs order_vectors order32_scalar order64_scalar */
/*
 * Runs of at most WHITTLE_ORDER_SHORT bytes and of constant length, in place, with the vectors every machine of the
 * architecture has: no call, and as fast as wider ones behind a pointer. A rotation swaps the bytes of each half word,
 * a shuffle the half words of each word.
 */
#ifndef WHITTLE_ORDER_SHORT
#define WHITTLE_ORDER_SHORT 128
#endif
#if !WHITTLE_FOR_SIZE && (defined(__SSE2__) || (defined(__aarch64__) && !WHITTLE_BIG_ENDIAN))
#define WHITTLE_ORDER_HALVES 1
#else
#define WHITTLE_ORDER_HALVES 0
#endif
#if WHITTLE_ORDER_HALVES
typedef unsigned short whittle_halves __attribute__((vector_size(16)));
typedef unsigned short whittle_loose_halves __attribute__((vector_size(16), aligned(1), may_alias));
#define WHITTLE_HALVES32(b) 1, 0, 3, 2, 5, 4, 7, 6
#define WHITTLE_HALVES64(b) 3, 2, 1, 0, 7, 6, 5, 4
#define WHITTLE_ORDER_HALVES_ROUTINE(NAME, ORDER)                                                                      \
    WHITTLE_IN_PLACE void NAME(void *to, const void *from, size_t bytes)                                                \
    {                                                                                                                  \
        char *t = (char *)to;                                                                                          \
        const char *f = (const char *)from;                                                                            \
        whittle_halves last = *(const whittle_loose_halves *)(f + bytes - 16);                                        \
        size_t i;                                                                                                      \
        WHITTLE_UNROLL for (i = 0; i + 16 < bytes; i += 16) {                                                          \
            whittle_halves some = *(const whittle_loose_halves *)(f + i);                                             \
            some = (some << 8) | (some >> 8);                                                                          \
            *(whittle_loose_halves *)(t + i) = WHITTLE_SHUFFLE(whittle_halves, some, ORDER(0));                        \
        }                                                                                                              \
        last = (last << 8) | (last >> 8);                                                                              \
        *(whittle_loose_halves *)(t + bytes - 16) = WHITTLE_SHUFFLE(whittle_halves, last, ORDER(0));                   \
    }
WHITTLE_ORDER_HALVES_ROUTINE(whittle_order32_short, WHITTLE_HALVES32)
WHITTLE_ORDER_HALVES_ROUTINE(whittle_order64_short, WHITTLE_HALVES64)
#else
WHITTLE_IN_PLACE void whittle_order32_short(void *to, const void *from, size_t bytes)
{
    whittle_order32_scalar(to, from, bytes);
}

WHITTLE_IN_PLACE void whittle_order64_short(void *to, const void *from, size_t bytes)
{
    whittle_order64_scalar(to, from, bytes);
}
#endif

/*: order32 needs order32_long order_short */
/* Best where the length is constant. */
WHITTLE_IN_PLACE void whittle_order32(void *to, const void *from, size_t count)
{
    if (WHITTLE_BIG_ENDIAN || !__builtin_constant_p(count) || count > WHITTLE_ORDER_SHORT / 4)
        whittle_order32_long(to, from, 4 * count);
    else if (count < 4)
        whittle_order32_scalar(to, from, 4 * count);
    else
        whittle_order32_short(to, from, 4 * count);
}

/*: order64 needs order64_long order_short */
WHITTLE_IN_PLACE void whittle_order64(void *to, const void *from, size_t count)
{
    if (WHITTLE_BIG_ENDIAN || !__builtin_constant_p(count) || count > WHITTLE_ORDER_SHORT / 8)
        whittle_order64_long(to, from, 8 * count);
    else if (count < 2)
        whittle_order64_scalar(to, from, 8 * count);
    else
        whittle_order64_short(to, from, 8 * count);
}

/*: swap32 needs order32 order32_scalar */
/* For words anywhere: where they overlap, one after the other, as a loop would have it. */
WHITTLE_IN_PLACE void whittle_swap32(void *to, const void *from, size_t count)
{
    const uintptr_t t = (uintptr_t)to, f = (uintptr_t)from;
    /* One comparison shows that they are far enough apart, on either side. */
    if (t - f + (4 * count - 1) < 8 * count - 1 && t != f)
        whittle_order32_scalar(to, from, 4 * count);
    else
        whittle_order32(to, from, count);
}

/*: end_of_order */
#endif
