/* Headers of intrinsics may be those of another compiler than the one that whittle reads C with: what cannot be read is called.
 * Not in the residual: for, while
 */
#ifdef __SSE2__
#include <emmintrin.h>
#endif

extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

static int doubled(int value)
{
#ifdef __SSE2__
    const __m128i all = _mm_cvtsi32_si128(value);

    return _mm_cvtsi128_si32(_mm_adds_epi16(all, all));
#else
    const int low = (short)value * 2, high = (value >> 16) * 2;
    const int least = low < -32768 ? -32768 : low > 32767 ? 32767 : low;
    const int most = high < -32768 ? -32768 : high > 32767 ? 32767 : high;

    return (int)((unsigned)most << 16 | ((unsigned)least & 0xffff));
#endif
}

int main(void)
{
    unsigned sum = 0;

    for (int i = 0; i < 3; i++)
        sum = sum * 31 + (unsigned)doubled((int)(law_input(0, 12345) * i));
    law_output("sum", sum);
    return 0;
}
