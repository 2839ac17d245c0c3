#include "fft.h"
#include <whittle/specialize.h>

WHITTLE_SPECIALIZE
void forward_16(const kiss_fft_cpx *restrict in, kiss_fft_cpx *restrict out)
{
    double room[40 + 16];
    size_t size = sizeof room;
    WHITTLE_FACT(in != out);
    kiss_fft(kiss_fft_alloc(16, 0, room, &size), in, out);
}
