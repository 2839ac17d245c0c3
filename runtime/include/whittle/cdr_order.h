/* SPDX-License-Identifier: MIT-0 */
/*
 * Words of CDR, which have two, four or eight bytes and either byte order: the machine's own (`host`), the other one
 * (`swapped`: swapped on every machine), or big-endian without a word to it, as in order.h. Memory has any alignment.
 */
#ifndef WHITTLE_CDR_ORDER_H
#define WHITTLE_CDR_ORDER_H
#include <whittle/order.h>

/*: cdr_order32 needs bool attributes */
WHITTLE_INLINE uint32_t whittle_cdr_host32(uint32_t value)
{
    return value;
}

WHITTLE_INLINE uint32_t whittle_cdr_swapped32(uint32_t value)
{
    return __builtin_bswap32(value);
}

WHITTLE_INLINE uint32_t whittle_cdr_network32(uint32_t value)
{
    return WHITTLE_BIG_ENDIAN ? value : __builtin_bswap32(value);
}

/*: cdr_words needs bool attributes */
/* One word at a time: `put` writes it, `get` reads it, with its bytes in the order that SWAP makes. */
#define WHITTLE_CDR_WORD(ENDING, BITS, SWAP)                                                                           \
    WHITTLE_INLINE void whittle_put##BITS##ENDING(char *at, uint##BITS##_t value)                                      \
    {                                                                                                                  \
        value = (uint##BITS##_t)SWAP(value);                                                                           \
        memcpy(at, &value, BITS / 8);                                                                                  \
    }                                                                                                                  \
    WHITTLE_INLINE uint##BITS##_t whittle_get##BITS##ENDING(const char *at)                                            \
    {                                                                                                                  \
        uint##BITS##_t value;                                                                                          \
        memcpy(&value, at, BITS / 8);                                                                                  \
        return (uint##BITS##_t)SWAP(value);                                                                            \
    }
#define WHITTLE_CDR_NETWORK16(value) (WHITTLE_BIG_ENDIAN ? (value) : __builtin_bswap16(value))
/* The bits of a number with a fraction. */
#define WHITTLE_CDR_FRACTION(NAME, TYPE, BITS)                                                                         \
    WHITTLE_INLINE void whittle_put_##NAME##_swapped(char *at, TYPE value)                                             \
    {                                                                                                                  \
        uint##BITS##_t bits;                                                                                           \
        memcpy(&bits, &value, BITS / 8);                                                                               \
        whittle_put##BITS##_swapped(at, bits);                                                                         \
    }                                                                                                                  \
    WHITTLE_INLINE TYPE whittle_get_##NAME##_swapped(const char *at)                                                   \
    {                                                                                                                  \
        const uint##BITS##_t bits = whittle_get##BITS##_swapped(at);                                                   \
        TYPE value;                                                                                                    \
        memcpy(&value, &bits, BITS / 8);                                                                               \
        return value;                                                                                                  \
    }

/*: put16 needs cdr_words */
WHITTLE_CDR_WORD(, 16, WHITTLE_CDR_NETWORK16)
/*: put16_swapped needs cdr_words */
WHITTLE_CDR_WORD(_swapped, 16, __builtin_bswap16)
/*: put32_swapped needs cdr_words */
WHITTLE_CDR_WORD(_swapped, 32, __builtin_bswap32)
/*: put64_swapped needs cdr_words */
WHITTLE_CDR_WORD(_swapped, 64, __builtin_bswap64)
/*: put_float_swapped needs put32_swapped */
WHITTLE_CDR_FRACTION(float, float, 32)
/*: put_double_swapped needs put64_swapped */
WHITTLE_CDR_FRACTION(double, double, 64)
/*: get16 needs put16 */
/*: get16_swapped needs put16_swapped */
/*: get32_swapped needs put32_swapped */
/*: get64_swapped needs put64_swapped */
/*: get_float_swapped needs put_float_swapped */
/*: get_double_swapped needs put_double_swapped */

/*: order16_scalar needs bool attributes */
WHITTLE_INLINE char *whittle_order16_scalar(void *to, const void *from, size_t bytes)
{
    char *t = (char *)to;
    const char *f = (const char *)from;
    for (size_t i = 0; i < bytes; i += 2) {
        uint16_t word;
        memcpy(&word, f + i, 2);
        word = __builtin_bswap16(word);
        memcpy(t + i, &word, 2);
    }
    return t + bytes;
}

/*: order16_long needs order_routine order16_scalar */
#define WHITTLE_BYTES2(b) b + 1, b, b + 3, b + 2
#define WHITTLE_MASK16_16(b) WHITTLE_BYTES2(b), WHITTLE_BYTES2(b + 4), WHITTLE_BYTES2(b + 8), WHITTLE_BYTES2(b + 12)
#define WHITTLE_MASK16_32(b) WHITTLE_MASK16_16(b), WHITTLE_MASK16_16(b + 16)
#define WHITTLE_MASK16_64(b) WHITTLE_MASK16_32(b), WHITTLE_MASK16_32(b + 32)
#if WHITTLE_ORDER_X86
WHITTLE_ORDER_ROUTINE(whittle_order16_ssse3, __attribute__((target("ssse3"))), 2, 16, WHITTLE_MASK16_16,
                      whittle_order16_scalar)
WHITTLE_ORDER_ROUTINE(whittle_order16_avx2, __attribute__((target("avx2"))), 2, 32, WHITTLE_MASK16_32,
                      whittle_order16_ssse3)
WHITTLE_ORDER_ROUTINE(whittle_order16_avx512, __attribute__((target("avx512bw"))), 2, 64, WHITTLE_MASK16_64,
                      whittle_order16_avx2)
static char *whittle_order16_resolve(void *to, const void *from, size_t bytes);
static char *(*whittle_order16_best)(void *, const void *, size_t) = whittle_order16_resolve;

/* As for words of four bytes. */
WHITTLE_COLD char *whittle_order16_resolve(void *to, const void *from, size_t bytes)
{
    char *(*best)(void *, const void *, size_t) = whittle_order16_scalar;
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi"))
        best = whittle_order16_avx512;
    else if (__builtin_cpu_supports("avx2"))
        best = whittle_order16_avx2;
    else if (__builtin_cpu_supports("ssse3"))
        best = whittle_order16_ssse3;
    __atomic_store_n(&whittle_order16_best, best, __ATOMIC_RELAXED);
    return best(to, from, bytes);
}
#elif WHITTLE_ORDER_NEON
WHITTLE_ORDER_ROUTINE(whittle_order16_neon, , 2, 16, WHITTLE_MASK16_16, whittle_order16_scalar)
#endif

WHITTLE_INLINE void whittle_order16_long(void *to, const void *from, size_t bytes)
{
#if WHITTLE_BIG_ENDIAN
    if (to != from)
        memcpy(to, from, bytes);
#elif WHITTLE_ORDER_X86
    __atomic_load_n(&whittle_order16_best, __ATOMIC_RELAXED)(to, from, bytes);
#elif WHITTLE_ORDER_NEON
    whittle_order16_neon(to, from, bytes);
#else
    whittle_order16_scalar(to, from, bytes);
#endif
}

/*: order16 needs order16_long */
/* Best where the length is constant. */
WHITTLE_INLINE void whittle_order16(void *to, const void *from, size_t count)
{
    if (WHITTLE_BIG_ENDIAN || !__builtin_constant_p(count) || count >= 8)
        whittle_order16_long(to, from, 2 * count);
    else
        whittle_order16_scalar(to, from, 2 * count);
}

/*: swapped16_long needs order16_long */
/* Big-endian is the other order on most machines; where it is the own one, the scalar loops swap, and compilers widen them. */
WHITTLE_INLINE void whittle_swapped16_long(void *to, const void *from, size_t bytes)
{
    if (WHITTLE_BIG_ENDIAN)
        whittle_order16_scalar(to, from, bytes);
    else
        whittle_order16_long(to, from, bytes);
}

/*: swapped32_long needs order32_long */
WHITTLE_INLINE void whittle_swapped32_long(void *to, const void *from, size_t bytes)
{
    if (WHITTLE_BIG_ENDIAN)
        whittle_order32_scalar(to, from, bytes);
    else
        whittle_order32_long(to, from, bytes);
}

/*: swapped64_long needs order64_long */
WHITTLE_INLINE void whittle_swapped64_long(void *to, const void *from, size_t bytes)
{
    if (WHITTLE_BIG_ENDIAN)
        whittle_order64_scalar(to, from, bytes);
    else
        whittle_order64_long(to, from, bytes);
}

/*: swapped16 needs order16 */
WHITTLE_INLINE void whittle_swapped16(void *to, const void *from, size_t count)
{
    if (WHITTLE_BIG_ENDIAN)
        whittle_order16_scalar(to, from, 2 * count);
    else
        whittle_order16(to, from, count);
}

/*: swapped32 needs order32 */
WHITTLE_INLINE void whittle_swapped32(void *to, const void *from, size_t count)
{
    if (WHITTLE_BIG_ENDIAN)
        whittle_order32_scalar(to, from, 4 * count);
    else
        whittle_order32(to, from, count);
}

/*: swapped64 needs order64 */
WHITTLE_INLINE void whittle_swapped64(void *to, const void *from, size_t count)
{
    if (WHITTLE_BIG_ENDIAN)
        whittle_order64_scalar(to, from, 8 * count);
    else
        whittle_order64(to, from, count);
}

/*: end_of_cdr_order */
#endif
