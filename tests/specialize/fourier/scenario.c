/*
 * kissfft with sizes and directions that are known; numbers are not. Compiled as it stands it is the original, with its
 * configuration made in each call.
 */
#include <kiss_fft.h>
#include <whittle/specialize.h>

#define FFT(NAME, SIZE, INVERSE)                                                                                       \
    WHITTLE_SPECIALIZE void NAME(const kiss_fft_cpx *restrict in, kiss_fft_cpx *restrict out)                          \
    {                                                                                                                  \
        double room[40 + SIZE];                                                                                        \
        size_t size = sizeof room;                                                                                     \
        WHITTLE_FACT(in != out);                                                                                       \
        kiss_fft(kiss_fft_alloc(SIZE, INVERSE, room, &size), in, out);                                                 \
    }

FFT(forward_8, 8, 0)
FFT(forward_16, 16, 0)
FFT(backward_16, 16, 1)
FFT(forward_60, 60, 0)
FFT(forward_64, 64, 0)
FFT(forward_14, 14, 0)
