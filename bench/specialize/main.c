/*
 * Times whoever was linked in, in turn within each round, and prints the nanoseconds per message:
 *     ints-encode|ints-decode BYTES WHO ROUND NANOSECONDS
 * usage: table CORE ROUNDS MILLISECONDS
 */
#include "timing.h"
#include <string.h>

typedef int routine(char *message, int *value);

#define WHOS(DO) DO(tirpc) DO(tirpc_lto) DO(whittle) DO(whittle_unrolled) DO(whittle_stubs) DO(hand)
#define SIZES(DO, WHO) DO(WHO, 20) DO(WHO, 100) DO(WHO, 250) DO(WHO, 500) DO(WHO, 1000) DO(WHO, 2000)
#define DECLARE(WHO, N) extern routine WHO##_encode_##N, WHO##_decode_##N;
#define DECLARE_ALL(WHO) SIZES(DECLARE, WHO)
WHOS(DECLARE_ALL)

struct entry { const char *who; int count; routine *run[2]; };
#define ENTRY(WHO, N) {#WHO, N, {WHO##_encode_##N, WHO##_decode_##N}},
#define ENTRIES(WHO) SIZES(ENTRY, WHO)
static const struct entry all[] = {WHOS(ENTRIES)};
enum { MOST = sizeof all / sizeof *all };

static int value[2000], back[2000];
static char message[8000] __attribute__((aligned(64))), expected[8000] __attribute__((aligned(64)));

static double once(const struct entry *entry, int decode, double least)
{
    static size_t times[MOST][2];
    size_t *count = &times[entry - all][decode];
    *count = *count == 0 ? 1000 : *count;
    for (;;) {
        const double start = now(CLOCK_THREAD_CPUTIME_ID);
        for (size_t i = 0; i < *count; i++) {
            entry->run[decode](message, decode ? back : value);
            __asm__ volatile("" ::: "memory");
        }
        const double taken = now(CLOCK_THREAD_CPUTIME_ID) - start;
        if (taken >= 0.7 * least)
            return taken / (double)*count;
        *count *= 2;
    }
}

static void check(const struct entry *entry)
{
    const size_t bytes = (size_t)entry->count * 4;
    all[0].run[0] == NULL ? abort() : (void)0;
    memset(message, 1, sizeof message);
    memset(back, 1, sizeof back);
    for (int i = 0; i < entry->count; i++) {
        const unsigned word = __builtin_bswap32((unsigned)value[i]);
        memcpy(expected + 4 * i, &word, 4);
    }
    if (!entry->run[0](message, value) || memcmp(message, expected, bytes) != 0 || !entry->run[1](message, back) ||
        memcmp(back, value, bytes) != 0) {
        fprintf(stderr, "%s: wrong bytes for %d integers\n", entry->who, entry->count);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    pin(atoi(argv[1]));
    unsigned word = 1;
    for (int i = 0; i < 2000; i++)
        value[i] = (int)(word = word * 1664525u + 1013904223u);
    for (int i = 0; i < MOST; i++)
        check(&all[i]);
    for (int round = 0; round < atoi(argv[2]); round++)
        for (int decode = 0; decode < 2; decode++)
            for (int i = 0; i < MOST; i++)
                printf("ints-%s %d %s %d %.3f\n", decode ? "decode" : "encode", 4 * all[i].count, all[i].who, round,
                       once(&all[i], decode, atof(argv[3]) * 1e6));
    return 0;
}
