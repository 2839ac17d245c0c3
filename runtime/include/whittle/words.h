/* SPDX-License-Identifier: MIT-0 */
/*
 * Big-endian words in memory of any alignment. Start of the sections: a line "NAME needs OTHERS" in a comment that
 * begins with a colon opens a section, which runs to the next such line. `whittle` writes the sections a file uses
 * (and what they need) into that file; compiled as headers, all of them are there.
 */
#ifndef WHITTLE_WORDS_H
#define WHITTLE_WORDS_H

/*: system */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*: bool needs system */
#include <limits.h>
#include <stdbool.h>
#if defined(__cplusplus) && !defined(_Static_assert)
#define _Static_assert static_assert
#endif

/*: attributes needs system */
/* Whoever compiles with -Os wants less of it, not more speed. */
#ifdef __OPTIMIZE_SIZE__
#define WHITTLE_FOR_SIZE 1
#else
#define WHITTLE_FOR_SIZE 0
#endif
#define WHITTLE_INLINE static __inline__ __attribute__((unused))
/*
 * What is little, or done often. gcc counts what is only `inline` against how large a function may grow, and -Winline reports
 * each that it then leaves out.
 */
#if WHITTLE_FOR_SIZE
#define WHITTLE_IN_PLACE static __attribute__((unused))
#else
#define WHITTLE_IN_PLACE static __inline__ __attribute__((always_inline, unused))
#endif
/* Inlined where it is called once; a routine of its own where many call it. */
#define WHITTLE_SHARED static __attribute__((unused))
#define WHITTLE_COLD static __attribute__((cold, noinline, unused))
#define WHITTLE_APART static __attribute__((noinline, unused))
#define WHITTLE_UINT_MAX 0xffffffffu
#define WHITTLE_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define WHITTLE_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
#if WHITTLE_BIG_ENDIAN
#define WHITTLE_NETWORK32(value) (value)
#define WHITTLE_NETWORK64(value) (value)
#else
#define WHITTLE_NETWORK32(value) __builtin_bswap32(value)
#define WHITTLE_NETWORK64(value) __builtin_bswap64(value)
#endif
/* gcc warns where it ignores this: without optimization, and on some machines. */
#if defined(__OPTIMIZE__) && !WHITTLE_FOR_SIZE && (defined(__x86_64__) || defined(__i386__) || defined(__aarch64__))
#define WHITTLE_UNROLL _Pragma("GCC unroll 8")
#else
#define WHITTLE_UNROLL
#endif

/*: assert needs system */
/* At compile time, among statements. */
#define WHITTLE_ASSERT(condition) ((void)sizeof(char[(condition) ? 1 : -1]))

/*: pad4 needs attributes */
/* In 64 bits, so that no length wraps. */
WHITTLE_IN_PLACE uint64_t whittle_pad4(uint64_t n)
{
    return (n + 3) & ~(uint64_t)3;
}

/*: copy needs attributes */
/*
 * Many bytes. Where the target stands a few bytes ahead of the source, modulo a page, some processors' copying of long
 * strings is ten times slower than it should be (measured on Zen 3); libraries copy short pieces in another way.
 */
WHITTLE_IN_PLACE void whittle_copy(void *to, const void *from, size_t n)
{
    char *t = (char *)to;
    const char *f = (const char *)from;
    if (n >= 4096 && (((uintptr_t)to - (uintptr_t)from - 1) & 4095) < 63) {
        size_t piece = 1536;
        __asm__("" : "+r"(piece));  /* or the compiler would write out the very instruction */
        for (; n > piece; n -= piece, t += piece, f += piece)
            memcpy(t, f, piece);
    }
    memcpy(t, f, n);
}

/*: ahead needs attributes */
/*
 * Asks for the lines that a loop is going to write soon: `likely` bytes (a constant, the size of an item) some way
 * behind `at`. Beyond the first-level cache stores wait for their lines, and this is worth a factor of two there.
 */
#define WHITTLE_AHEAD 512
WHITTLE_IN_PLACE void whittle_ahead(const void *at, size_t likely)
{
    const uintptr_t from = (uintptr_t)at + WHITTLE_AHEAD;
    size_t line;
    WHITTLE_UNROLL for (line = 0; !WHITTLE_FOR_SIZE && line < likely && line < WHITTLE_AHEAD; line += 64)
        __builtin_prefetch((const void *)(from + line), 1);
}

/*: put32 needs attributes */
WHITTLE_IN_PLACE void whittle_put32(char *at, uint32_t value)
{
    value = WHITTLE_NETWORK32(value);
    memcpy(at, &value, 4);
}

/*: put64 needs attributes */
WHITTLE_IN_PLACE void whittle_put64(char *at, uint64_t value)
{
    value = WHITTLE_NETWORK64(value);
    memcpy(at, &value, 8);
}

/*: put8 needs attributes */
WHITTLE_IN_PLACE void whittle_put8(char *at, uint32_t value)
{
    *at = (char)value;
}

/*: get8 needs attributes */
WHITTLE_IN_PLACE uint32_t whittle_get8(const char *at)
{
    return *(const unsigned char *)at;
}

/*: put32_host needs attributes */
/* In the machine's own order, between equal machines. */
WHITTLE_IN_PLACE void whittle_put32_host(char *at, uint32_t value)
{
    memcpy(at, &value, 4);
}

/*: get32_host needs attributes */
WHITTLE_IN_PLACE uint32_t whittle_get32_host(const char *at)
{
    uint32_t value;
    memcpy(&value, at, 4);
    return value;
}

/*: put_float needs put32 */
WHITTLE_IN_PLACE void whittle_put_float(char *at, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, 4);
    whittle_put32(at, bits);
}

/*: put_double needs put64 */
WHITTLE_IN_PLACE void whittle_put_double(char *at, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, 8);
    whittle_put64(at, bits);
}

/*: get32 needs attributes */
WHITTLE_IN_PLACE uint32_t whittle_get32(const char *at)
{
    uint32_t value;
    memcpy(&value, at, 4);
    return WHITTLE_NETWORK32(value);
}

/*: get64 needs attributes */
WHITTLE_IN_PLACE uint64_t whittle_get64(const char *at)
{
    uint64_t value;
    memcpy(&value, at, 8);
    return WHITTLE_NETWORK64(value);
}

/*: get_float needs get32 */
WHITTLE_IN_PLACE float whittle_get_float(const char *at)
{
    const uint32_t bits = whittle_get32(at);
    float value;
    memcpy(&value, &bits, 4);
    return value;
}

/*: get_double needs get64 */
WHITTLE_IN_PLACE double whittle_get_double(const char *at)
{
    const uint64_t bits = whittle_get64(at);
    double value;
    memcpy(&value, &bits, 8);
    return value;
}

/*: end_of_words */
#endif
