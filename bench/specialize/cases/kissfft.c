/* kissfft as it is used: each configuration is made once. */
#include <kiss_fft.h>

#define FFT(SIZE)                                                                                                      \
    void forward_##SIZE(const kiss_fft_cpx *in, kiss_fft_cpx *out)                                                     \
    {                                                                                                                  \
        static kiss_fft_cfg configuration;                                                                             \
        if (configuration == NULL)                                                                                     \
            configuration = kiss_fft_alloc(SIZE, 0, NULL, NULL);                                                       \
        kiss_fft(configuration, in, out);                                                                              \
    }

FFT(8)
FFT(16)
FFT(64)
