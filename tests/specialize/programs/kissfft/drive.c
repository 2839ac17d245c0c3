#include <stdlib.h>
#include <string.h>
#include "fft.h"

enum { TIMES = 64, SIZE = 16 };
static kiss_fft_cpx in[TIMES][SIZE];

static float number(void)
{
    return (float)(rand() % 200001 - 100000) / 1024.0f;
}

void prepare(unsigned seed)
{
    srand(seed + 1);
    for (int n = 0; n < TIMES; n++)
        for (int i = 0; i < SIZE; i++)
            in[n][i] = (kiss_fft_cpx){number(), number()};
}

/* Every bit of the results counts, except for the sign of zero. */
unsigned long drive(void)
{
    unsigned long sum = 0;
    kiss_fft_cpx out[SIZE];
    for (int n = 0; n < TIMES; n++) {
        forward_16(in[n], out);
        for (int i = 0; i < SIZE; i++)
            out[i] = (kiss_fft_cpx){out[i].r + 0.0f, out[i].i + 0.0f};
        unsigned long words[sizeof out / sizeof(unsigned long)];
        memcpy(words, out, sizeof out);
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            sum = 3 * sum + words[i];
    }
    return sum;
}
