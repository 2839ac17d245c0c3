/* SPDX-License-Identifier: MIT-0 */
/* Every byte-order routine, at every length and alignment, in place and not, and nothing written outside. */
#include <stdio.h>
#include <string.h>
#include <whittle/order.h>

enum { MOST = 1400, MARGIN = 64 };

static void expected_order(unsigned char *to, const unsigned char *from, size_t bytes, size_t word)
{
    for (size_t i = 0; i < bytes; i++) {
        const uint16_t probe = 1;
        const size_t mirrored = i / word * word + (word - 1 - i % word);
        to[i] = *(const unsigned char *)&probe == 1 ? from[mirrored] : from[i];
    }
}

static int check(const char *name, char *(*order)(void *, const void *, size_t), size_t word)
{
    static unsigned char from[MOST + 2 * MARGIN], to[MOST + 2 * MARGIN], expected[MOST];
    for (size_t bytes = 0; bytes <= MOST; bytes += bytes < 700 ? word : 40 * word) {
        for (size_t shift = 0; shift < 70; shift += shift < 16 ? 1 : 9) {
            for (size_t i = 0; i < sizeof from; i++)
                from[i] = (unsigned char)(i * 37 + bytes);
            unsigned char *const start = from + MARGIN / 2 + shift % 13;
            expected_order(expected, start, bytes, word);
            memset(to, 0xaa, sizeof to);
            int bad = order(to + shift, start, bytes) != (char *)to + shift + bytes;
            bad |= memcmp(to + shift, expected, bytes) != 0;
            for (size_t i = 0; i < sizeof to; i++)
                bad |= (i < shift || i >= shift + bytes) && to[i] != 0xaa;
            order(start, start, bytes);
            bad |= memcmp(start, expected, bytes) != 0;
            if (bad) {
                fprintf(stderr, "%s: wrong at %zu bytes, shift %zu\n", name, bytes, shift);
                return 1;
            }
        }
    }
    return 0;
}

static int check_constant_lengths(void)
{
    char from[200], to[200];
    unsigned char expected[200];
    int bad = 0;
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (char)(i * 3);
#define ONE(n)                                                                                                         \
    expected_order(expected, (unsigned char *)from + 1, 4 * n, 4);                                                     \
    whittle_order32(to + 3, from + 1, n);                                                                              \
    bad |= memcmp(to + 3, expected, 4 * n) != 0;                                                                       \
    expected_order(expected, (unsigned char *)from + 1, 8 * n, 8);                                                     \
    whittle_order64(to + 3, from + 1, n);                                                                              \
    bad |= memcmp(to + 3, expected, 8 * n) != 0;
    ONE(1) ONE(2) ONE(3) ONE(4) ONE(5) ONE(6) ONE(7) ONE(8) ONE(9) ONE(15) ONE(16) ONE(17) ONE(20)
    if (bad)
        fprintf(stderr, "a run of constant length is wrong\n");
    return bad;
}

int main(void)
{
    int bad = check("order32_end", whittle_order32_end, 4) | check("order64_end", whittle_order64_end, 8);
    bad |= check_constant_lengths();
#if WHITTLE_ORDER_X86
    if (__builtin_cpu_supports("ssse3"))
        bad |= check("order32_ssse3", whittle_order32_ssse3, 4) | check("order64_ssse3", whittle_order64_ssse3, 8);
    if (__builtin_cpu_supports("avx2"))
        bad |= check("order32_avx2", whittle_order32_avx2, 4) | check("order64_avx2", whittle_order64_avx2, 8);
    if (__builtin_cpu_supports("avx512bw"))
        bad |= check("order32_avx512", whittle_order32_avx512, 4) | check("order64_avx512", whittle_order64_avx512, 8);
#endif
#if !WHITTLE_BIG_ENDIAN
    bad |= check("order32_scalar", whittle_order32_scalar, 4) | check("order64_scalar", whittle_order64_scalar, 8);
#endif
    return bad;
}
