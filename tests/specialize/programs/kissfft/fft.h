#include <kiss_fft.h>
void forward_16(const kiss_fft_cpx *restrict in, kiss_fft_cpx *restrict out);
