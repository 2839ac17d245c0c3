/* The transforms that are timed. */
#include <kiss_fft.h>
#include <whittle/specialize.h>

#define FFT(SIZE)                                                                                                      \
    WHITTLE_SPECIALIZE void forward_##SIZE(const kiss_fft_cpx *restrict in, kiss_fft_cpx *restrict out)                \
    {                                                                                                                  \
        double room[40 + SIZE];                                                                                        \
        size_t size = sizeof room;                                                                                     \
        WHITTLE_FACT(in != out);                                                                                       \
        kiss_fft(kiss_fft_alloc(SIZE, 0, room, &size), in, out);                                                       \
    }

FFT(8)
FFT(16)
FFT(64)
