/* Audio filters that run one behind the other. */
#include "chain.h"

static float next_biquad(const struct filter *filter, float *state, float sample)
{
    const float *p = filter->parameters;
    const float result = p[0] * sample + state[0];
    state[0] = p[1] * sample - p[3] * result + state[1];
    state[1] = p[2] * sample - p[4] * result;
    return result;
}

static float next_gain(const struct filter *filter, float *state, float sample)
{
    (void)state;
    return filter->parameters[0] * sample;
}

/* The state is a ring of samples, and behind it the place in it. */
static float next_delay(const struct filter *filter, float *state, float sample)
{
    float *const place = &state[filter->length];
    const int at = (int)*place;
    const float result = sample + filter->parameters[0] * state[at];
    state[at] = result;
    *place = (float)(at + 1 == filter->length ? 0 : at + 1);
    return result;
}

static float next_clip(const struct filter *filter, float *state, float sample)
{
    const float limit = filter->parameters[0];
    (void)state;
    return sample > limit ? limit : sample < -limit ? -limit : sample;
}

const struct filter_kind biquad = { next_biquad, 2 };
const struct filter_kind gain = { next_gain, 0 };
const struct filter_kind delay = { next_delay, 1 };
const struct filter_kind clip = { next_clip, 0 };

int chain_open(struct chain *chain, const struct filter *filters, int count)
{
    int states = 0;
    for (int i = 0; i < count; i++)
        states += filters[i].kind->states + filters[i].length;
    if (states > CHAIN_STATES)
        return -1;
    chain->filters = filters;
    chain->count = count;
    for (int i = 0; i < CHAIN_STATES; i++)
        chain->states[i] = 0;
    return 0;
}

void chain_run(struct chain *chain, const float *in, float *out, size_t samples)
{
    for (size_t n = 0; n < samples; n++) {
        float sample = in[n], *state = chain->states;
        for (int i = 0; i < chain->count; i++) {
            const struct filter *filter = &chain->filters[i];
            sample = filter->kind->next(filter, state, sample);
            state += filter->kind->states + filter->length;
        }
        out[n] = sample;
    }
}
