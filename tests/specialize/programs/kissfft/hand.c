#include "fft.h"

/* The twiddles as kissfft rounds them: the cosine of a quarter turn is not quite zero. */
#define C1 0.92387953251128674f
#define S1 0.38268343236508977f
#define R 0.70710678118654757f
#define TINY 6.123233995736766e-17f

static inline kiss_fft_cpx times(kiss_fft_cpx a, float r, float i)
{
    return (kiss_fft_cpx){a.r * r - a.i * i, a.r * i + a.i * r};
}

static inline kiss_fft_cpx plus(kiss_fft_cpx a, kiss_fft_cpx b)
{
    return (kiss_fft_cpx){a.r + b.r, a.i + b.i};
}

static inline kiss_fft_cpx minus(kiss_fft_cpx a, kiss_fft_cpx b)
{
    return (kiss_fft_cpx){a.r - b.r, a.i - b.i};
}

static inline void butterfly(kiss_fft_cpx *out, int m, kiss_fft_cpx a, kiss_fft_cpx b, kiss_fft_cpx c, kiss_fft_cpx d)
{
    const kiss_fft_cpx difference = minus(a, c), sum = plus(a, c), outer = plus(b, d), turned = minus(b, d);
    out[0] = plus(sum, outer);
    out[2 * m] = minus(sum, outer);
    out[m] = (kiss_fft_cpx){difference.r + turned.i, difference.i - turned.r};
    out[3 * m] = (kiss_fft_cpx){difference.r - turned.i, difference.i + turned.r};
}

void forward_16(const kiss_fft_cpx *restrict in, kiss_fft_cpx *restrict out)
{
    kiss_fft_cpx t[16];
    for (int k = 0; k < 4; k++)
        butterfly(t + 4 * k, 1, in[k], in[k + 4], in[k + 8], in[k + 12]);
    butterfly(out, 4, t[0], t[4], t[8], t[12]);
    butterfly(out + 1, 4, t[1], times(t[5], C1, -S1), times(t[9], R, -R), times(t[13], S1, -C1));
    butterfly(out + 2, 4, t[2], times(t[6], R, -R), times(t[10], TINY, -1.0f), times(t[14], -R, -R));
    butterfly(out + 3, 4, t[3], times(t[7], S1, -C1), times(t[11], -R, -R), times(t[15], -C1, S1));
}
