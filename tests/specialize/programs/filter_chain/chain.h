#include <stddef.h>

struct filter;
struct filter_kind {
    float (*next)(const struct filter *filter, float *state, float sample);
    int states; /* numbers that a filter needs */
};

struct filter {
    const struct filter_kind *kind;
    float parameters[5];
    int length;
};

/* Parameters b0 b1 b2 a1 a2; a factor; a delay's feedback, with its length in samples; a limit. */
extern const struct filter_kind biquad, gain, delay, clip;

enum { CHAIN_STATES = 64 };

struct chain {
    const struct filter *filters;
    int count;
    float states[CHAIN_STATES];
};

/* Zero, or -1 if the filters need too many states. */
int chain_open(struct chain *chain, const struct filter *filters, int count);
void chain_run(struct chain *chain, const float *in, float *out, size_t samples);

int play(const float *in, float *out, size_t samples);
