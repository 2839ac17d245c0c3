/* Rotations that only clang has builtins for: computed where they are known, shifts where not.
 * Not in the residual: __builtin_rotate
 */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

#ifndef __has_builtin
#define __has_builtin(name) 0
#endif

#if __has_builtin(__builtin_rotateleft32) && defined(__clang__)
#define LEFT(width, x, n) __builtin_rotateleft##width(x, n)
#define RIGHT(width, x, n) __builtin_rotateright##width(x, n)
#else
#define SHIFTED(width, x, l, r) \
    ((unsigned long)(((x) << ((l) & (width - 1))) | ((x) >> ((r) & (width - 1)))) & (~0UL >> (64 - width)))
#define LEFT(width, x, n) SHIFTED(width, ((unsigned long)(x) & (~0UL >> (64 - width))), (n), -(n))
#define RIGHT(width, x, n) SHIFTED(width, ((unsigned long)(x) & (~0UL >> (64 - width))), -(n), (n))
#endif

static unsigned long all(unsigned long x, unsigned n)
{
    unsigned long sum = 0;

    sum = 31 * sum + LEFT(8, (unsigned char)x, (unsigned char)n);
    sum = 31 * sum + RIGHT(8, (unsigned char)x, (unsigned char)n);
    sum = 31 * sum + LEFT(16, (unsigned short)x, (unsigned short)n);
    sum = 31 * sum + RIGHT(16, (unsigned short)x, (unsigned short)n);
    sum = 31 * sum + LEFT(32, (unsigned)x, n);
    sum = 31 * sum + RIGHT(32, (unsigned)x, n);
    sum = 31 * sum + LEFT(64, x, n);
    return 31 * sum + RIGHT(64, x, n);
}

int main(void)
{
    const unsigned long x = (unsigned long)law_input(0, 0x123456789abcdef);
    const unsigned n = (unsigned)law_input(1, 5);

    law_output("known", (long long)all(0xfedcba9876543210UL, 13));
    law_output("number unknown", (long long)all(x, 7));
    law_output("by nothing", (long long)all(x, 64));
    law_output("count unknown", (long long)all(0x8000000180018180UL, n));
    return 0;
}
