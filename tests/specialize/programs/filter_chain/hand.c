#include "chain.h"

enum { DELAY = 24 };

int play(const float *in, float *out, size_t samples)
{
    float first[2] = { 0 }, ring[DELAY] = { 0 }, second[2] = { 0 };
    int at = 0;
    for (size_t n = 0; n < samples; n++) {
        float sample = 0.8f * in[n];
        float result = 0.2f * sample + first[0];
        first[0] = 0.4f * sample - -0.3f * result + first[1];
        first[1] = 0.2f * sample - 0.1f * result;
        sample = ring[at] = result + 0.4f * ring[at];
        at = at + 1 == DELAY ? 0 : at + 1;
        result = 1.1f * sample + second[0];
        second[0] = -1.6f * sample - -1.7f * result + second[1];
        second[1] = 0.6f * sample - 0.75f * result;
        out[n] = result > 0.9f ? 0.9f : result < -0.9f ? -0.9f : result;
    }
    return 0;
}
