/* SPDX-License-Identifier: MIT-0 */
/*
 * Routines that loop over items, compiled twice: for what every machine of the architecture has, and for vectors of 32
 * bytes. Which of the two runs is asked once a message. So short texts and short runs of words cost no call for each item.
 * Machines without such vectors are rare where there is a choice: their version is small, and calls what others share.
 */
#ifndef WHITTLE_WIDE_H
#define WHITTLE_WIDE_H
#include <whittle/order.h>

/*: wide needs bool attributes */
#ifndef WHITTLE_HAS_WIDE
#if !WHITTLE_FOR_SIZE && defined(__x86_64__) && defined(__OPTIMIZE__)
#define WHITTLE_HAS_WIDE 1
#else
#define WHITTLE_HAS_WIDE 0
#endif
#endif
/* The routine for both: its last parameter is a constant wherever it is called. */
#define WHITTLE_EITHER static inline __attribute__((always_inline, unused))
#define WHITTLE_COPY_SHORT 256      /* bytes that are worth no call of the library's */
#if WHITTLE_HAS_WIDE
#define WHITTLE_WIDE __attribute__((target("avx2"), unused)) static inline
typedef unsigned char whittle_wide __attribute__((vector_size(32)));
typedef unsigned char whittle_wide_loose __attribute__((vector_size(32), aligned(1), may_alias));
typedef char whittle_wide_signed __attribute__((vector_size(32)));

static unsigned char whittle_width;     /* of vectors; 0: not known yet */

WHITTLE_COLD bool whittle_look_for_width(void)
{
    __builtin_cpu_init();
    const bool is_wide = __builtin_cpu_supports("avx2");
    __atomic_store_n(&whittle_width, is_wide ? 32 : 16, __ATOMIC_RELAXED);
    return is_wide;
}

WHITTLE_INLINE bool whittle_is_wide(void)
{
#ifdef __AVX2__
    return true;    /* compiled for such machines alone: the other version is left out */
#else
    const unsigned char width = __atomic_load_n(&whittle_width, __ATOMIC_RELAXED);
    return WHITTLE_LIKELY(width != 0) ? width == 32 : whittle_look_for_width();
#endif
}

/* NAME from whittle_either_NAME; flattened, since what is meant for wide vectors goes only where there are some. */
#define WHITTLE_BOTH(LINKAGE, CURSOR, NAME, CONTEXT, VALUE)                                                            \
    __attribute__((target("avx2"), flatten, noinline))                                                                 \
    static CURSOR whittle_wide_##NAME(CONTEXT context, CURSOR at, VALUE value)                                         \
    {                                                                                                                  \
        return whittle_either_##NAME(context, at, value, true);                                                        \
    }                                                                                                                  \
    WHITTLE_COLD CURSOR whittle_narrow_##NAME(CONTEXT context, CURSOR at, VALUE value)                                 \
    {                                                                                                                  \
        return whittle_either_##NAME(context, at, value, false);                                                       \
    }                                                                                                                  \
    LINKAGE CURSOR NAME(CONTEXT context, CURSOR at, VALUE value)                                                       \
    {                                                                                                                  \
        return whittle_is_wide() ? whittle_wide_##NAME(context, at, value) : whittle_narrow_##NAME(context, at, value);\
    }
#else
#define WHITTLE_BOTH(LINKAGE, CURSOR, NAME, CONTEXT, VALUE)                                                            \
    LINKAGE CURSOR NAME(CONTEXT context, CURSOR at, VALUE value)                                                       \
    {                                                                                                                  \
        return whittle_either_##NAME(context, at, value, false);                                                       \
    }
#endif

/*: wide_runs needs wide order_short */
/* Runs of words of WORD bits and of constant length; those of at least one vector by vectors, the last of which overlaps. */
#if WHITTLE_HAS_WIDE
#define WHITTLE_WIDE_RUN(WORD, MASK)                                                                                   \
    WHITTLE_WIDE void whittle_order##WORD##_in_wide(void *to, const void *from, size_t bytes)                          \
    {                                                                                                                  \
        char *t = (char *)to;                                                                                          \
        const char *f = (const char *)from;                                                                            \
        const whittle_wide last = *(const whittle_wide_loose *)(f + bytes - 32);                                       \
        WHITTLE_UNROLL for (size_t i = 0; i + 32 < bytes; i += 32) {                                                   \
            const whittle_wide some = *(const whittle_wide_loose *)(f + i);                                            \
            *(whittle_wide_loose *)(t + i) = WHITTLE_SHUFFLE(whittle_wide, some, MASK(0));                             \
        }                                                                                                              \
        *(whittle_wide_loose *)(t + bytes - 32) = WHITTLE_SHUFFLE(whittle_wide, last, MASK(0));                        \
    }                                                                                                                  \
    WHITTLE_EITHER void whittle_order##WORD##_wide(void *to, const void *from, size_t count, bool is_wide)             \
    {                                                                                                                  \
        const size_t bytes = count * (WORD / 8);                                                                       \
        if (is_wide && bytes >= 32 && bytes <= WHITTLE_ORDER_SHORT)                                                    \
            whittle_order##WORD##_in_wide(to, from, bytes);                                                            \
        else if (is_wide)                                                                                              \
            whittle_order##WORD(to, from, count);                                                                      \
        else                                                                                                           \
            whittle_order##WORD##_long(to, from, bytes);                                                               \
    }
#else
#define WHITTLE_WIDE_RUN(WORD, MASK)                                                                                   \
    WHITTLE_EITHER void whittle_order##WORD##_wide(void *to, const void *from, size_t count, bool is_wide)             \
    {                                                                                                                  \
        (void)is_wide;                                                                                                 \
        whittle_order##WORD(to, from, count);                                                                          \
    }
#endif

/*: order32_wide needs wide_runs order32 */
WHITTLE_WIDE_RUN(32, WHITTLE_MASK32_32)
/*: order64_wide needs wide_runs order64 */
WHITTLE_WIDE_RUN(64, WHITTLE_MASK64_32)

/*: wide_text needs wide */
#if WHITTLE_HAS_WIDE
/* At least one vector; the last one overlaps. */
WHITTLE_WIDE void whittle_copy_in_wide(char *to, const char *from, size_t n)
{
    const whittle_wide last = *(const whittle_wide_loose *)(from + n - 32);
    for (size_t i = 0; i + 32 < n; i += 32)
        *(whittle_wide_loose *)(to + i) = *(const whittle_wide_loose *)(from + i);
    *(whittle_wide_loose *)(to + n - 32) = last;
}
#endif

WHITTLE_EITHER void whittle_copy_text(char *to, const char *text, size_t n, bool is_wide)
{
#if WHITTLE_HAS_WIDE
    if (is_wide && n >= 32 && n <= WHITTLE_COPY_SHORT) {
        whittle_copy_in_wide(to, text, n);
        return;
    }
#endif
    (void)is_wide;
    memcpy(to, text, n);
}

/*: wide_whole needs wide */
#if WHITTLE_HAS_WIDE
/* At least one vector, copied, or only looked at where `to` is NULL; whether there is no NUL in it. */
WHITTLE_WIDE bool whittle_whole_in_wide(char *to, const char *from, size_t n)
{
    const whittle_wide last = *(const whittle_wide_loose *)(from + n - 32);
    whittle_wide nuls = (whittle_wide)(last == 0);
    for (size_t i = 0; i + 32 < n; i += 32) {
        const whittle_wide some = *(const whittle_wide_loose *)(from + i);
        nuls |= (whittle_wide)(some == 0);
        if (to != NULL)
            *(whittle_wide_loose *)(to + i) = some;
    }
    if (to != NULL)
        *(whittle_wide_loose *)(to + n - 32) = last;
    return __builtin_ia32_pmovmskb256((whittle_wide_signed)nuls) == 0;
}
#endif

/*: end_of_wide */
#endif
