/* Transforms as they are (original_NAME) and specialized (NAME), on random numbers: every bit is the same. */
#include <kiss_fft.h>

#define TRANSFORMS(DO) DO(forward_8, 8) DO(forward_16, 16) DO(backward_16, 16) DO(forward_60, 60) DO(forward_64, 64) \
    DO(forward_14, 14)

typedef void transform(const kiss_fft_cpx *in, kiss_fft_cpx *out);
#define DECLARE(NAME, SIZE) transform original_##NAME, NAME;
TRANSFORMS(DECLARE)
#define ENTRY(NAME, SIZE) {#NAME, SIZE, original_##NAME, NAME},
static const struct { const char *name; size_t size; transform *original, *specialized; } all[] = {TRANSFORMS(ENTRY)};
enum { COUNT = sizeof all / sizeof *all, ROUNDS = 400, MOST = 64 };

static unsigned long long state = 88172645463325252ull;

static float number(void)
{
    static const float special[] = {0, -0.0f, 1, -1, 1e-38f, 1e30f, 3e-45f};
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    if (state % 16 < 7)
        return special[state % 16];
    return (float)(int)(state >> 32) / 65536.0f;
}

int main(void)
{
    static kiss_fft_cpx in[MOST], expected[MOST], out[MOST], kept[MOST];
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < COUNT; i++) {
            for (size_t at = 0; at < MOST; at++)
                in[at] = kept[at] = (kiss_fft_cpx){number(), number()};
            all[i].original(in, expected);
            all[i].specialized(in, out);
            if (memcmp(expected, out, all[i].size * sizeof *out) != 0 || memcmp(in, kept, sizeof in) != 0) {
                printf("%s differs in round %d\n", all[i].name, round);
                return 1;
            }
            /* In its own place: the fact does not hold. */
            all[i].specialized(in, in);
            if (memcmp(expected, in, all[i].size * sizeof *in) != 0) {
                printf("%s differs in its own place in round %d\n", all[i].name, round);
                return 1;
            }
        }
    printf("%d transforms, %d rounds\n", COUNT, ROUNDS);
    return 0;
}
