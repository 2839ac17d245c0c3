#include <whittle/specialize.h>
#include "chain.h"

static const struct filter filters[] = {
    { &gain, { 0.8f }, 0 },
    { &biquad, { 0.2f, 0.4f, 0.2f, -0.3f, 0.1f }, 0 },
    { &delay, { 0.4f }, 24 },
    { &biquad, { 1.1f, -1.6f, 0.6f, -1.7f, 0.75f }, 0 },
    { &clip, { 0.9f }, 0 },
};

WHITTLE_SPECIALIZE
int play(const float *in, float *out, size_t samples)
{
    struct chain chain;
    if (chain_open(&chain, filters, sizeof filters / sizeof *filters) != 0)
        return -1;
    chain_run(&chain, in, out, samples);
    return 0;
}
