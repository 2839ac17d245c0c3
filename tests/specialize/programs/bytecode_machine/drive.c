#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "machine.h"

struct result {
    enum vm_err err;
    size_t outs;
    uint32_t fuel;
    uint16_t pc;
    int32_t mem0, mem5;
};
void run_stats(const int32_t *in, size_t n, int32_t *out, size_t cap, struct result *r);
void run_mix(const int32_t *in, size_t n, int32_t *out, size_t cap, struct result *r);
enum vm_err run_bad(int32_t seed, uint32_t fuel, struct result *r);

enum { RUNS = 16, NUMBERS = 40, OUT = 16 };
static int32_t in[RUNS][NUMBERS], seeds[RUNS];
static size_t counts[RUNS], room[RUNS];
static uint32_t fuel[RUNS];

static unsigned long weigh(unsigned long sum, const struct result *r, const int32_t *out)
{
    for (int at = 0; at < OUT; at++)
        sum = sum * 31 + (uint32_t)out[at];
    return sum * 31 + (unsigned)r->err + r->outs * 3 + r->fuel * 7ul + r->pc * 11ul + (uint32_t)r->mem0 + (uint32_t)r->mem5 * 13ul;
}

void prepare(unsigned seed)
{
    srand(seed + 1);
    for (int run = 0; run < RUNS; run++) {
        counts[run] = (size_t)(rand() % NUMBERS);
        for (int at = 0; at < NUMBERS; at++)
            in[run][at] = rand() % 2 ? rand() - RAND_MAX / 2 : rand() % 32;
        in[run][0] = rand() % 4 ? (int32_t)(counts[run] ? rand() % (int)counts[run] : 0) : -1;
        room[run] = rand() % 3 ? OUT : (size_t)(rand() % 10);
        seeds[run] = rand() % 2 ? rand() : -(rand() % 100);
        fuel[run] = (uint32_t)(rand() % 30);
    }
}

unsigned long drive(void)
{
    unsigned long sum = 0;
    for (int run = 0; run < RUNS; run++) {
        int32_t out[OUT];
        struct result r;

        memset(out, 17, sizeof out);
        run_stats(in[run], counts[run], out, room[run], &r);
        sum = weigh(sum, &r, out);
        run_mix(in[run], counts[run], out, room[run], &r);
        sum = weigh(sum, &r, out);
        sum = sum * 31 + (unsigned)run_bad(seeds[run], fuel[run], &r);
        sum = weigh(sum, &r, out);
    }
    for (int at = 0; at < 8; at++)
        sum = sum * 31 + vm_faults[at];
    return sum;
}
