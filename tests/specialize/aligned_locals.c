/* Locals that are aligned beyond their types: functions that have them are specialized, and where they must exist they are aligned.
 * Not in the residual: "never", "words"
 */
#include <stdint.h>
#include <string.h>
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

static uint64_t sum(const unsigned char *bytes, int size)
{
    uint64_t sum = 0;
    if (((uintptr_t)bytes & 15) != 0)
        law_output("never", (long long)((uintptr_t)bytes & 15));
    for (int at = 0; at < size; at += 8) {
        uint64_t word;
        memcpy(&word, bytes + at, sizeof word);
        sum = sum * 31 + word;
    }
    return sum;
}

static void only_known_places(const unsigned char *in)
{
    unsigned char block[32] __attribute__((aligned(16)));
    for (int i = 0; i < 32; i++)
        block[i] = in[i];
    law_output("known", (long long)sum(block, 32));
}

static void at_an_unknown_place(const unsigned char *in)
{
    _Alignas(32) unsigned char block[32] = {0};
    static unsigned char *kept;
    for (int i = 0; i < 8; i++)
        block[in[i] & 31] += in[i + 8];
    kept = block + (in[3] & 1);
    law_output("unknown", (long long)sum(block, 32));
    law_output("low", (long long)((uintptr_t)kept & 31) - (in[3] & 1));
}

static void a_number(int n)
{
    int number __attribute__((__aligned__(8), unused)) = n * 2;
    law_output("number", number + (long long)((uintptr_t)&number & 7));
}

int main(void)
{
    unsigned char in[32];
    for (int i = 0; i < 32; i++)
        in[i] = (unsigned char)law_input(i, i * 7 + 1);
    only_known_places(in);
    at_an_unknown_place(in);
    a_number(in[0]);
    return 0;
}
