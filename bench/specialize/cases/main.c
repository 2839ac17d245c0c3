/*
 * Times whoever was linked in, in turn within each round, and prints the nanoseconds per packet, image or transform:
 *     WORKLOAD BYTES WHO ROUND NANOSECONDS
 * usage: cases CORE ROUNDS MILLISECONDS
 */
#include "../timing.h"
#include <string.h>

typedef unsigned filter(const unsigned char *packet, unsigned wire_length, unsigned length);
typedef int convolution(unsigned char *from, unsigned char *to);
typedef void transform(const float *in, float *out);

#define FILTERS(DO, WHO) DO(WHO, web) DO(WHO, host) DO(WHO, local) DO(WHO, get)
#define CONVOLUTIONS(DO, WHO) DO(WHO, sharpen, 16) DO(WHO, sharpen, 64) DO(WHO, blur, 16) DO(WHO, blur, 64)
#define TRANSFORMS(DO, WHO) DO(WHO, forward, 8) DO(WHO, forward, 16) DO(WHO, forward, 64)
#define FILTER_WHOS(DO) DO(libpcap_O2) DO(libpcap_O3) DO(whittle_O2) DO(whittle_O3) DO(hand_O2)
#define CONVOLUTION_WHOS(DO) DO(library_O2) DO(library_O3) DO(whittle_O2) DO(whittle_O3) DO(hand_O2) DO(hand_O3)
#define TRANSFORM_WHOS(DO) DO(kissfft_O2) DO(kissfft_O3) DO(whittle_O2) DO(whittle_O3) DO(finite_O3)

#define DECLARE_FILTER(WHO, NAME) extern filter WHO##_match_##NAME;
#define DECLARE_CONVOLUTION(WHO, NAME, SIZE) extern convolution WHO##_##NAME##_##SIZE;
#define DECLARE_TRANSFORM(WHO, NAME, SIZE) extern transform WHO##_##NAME##_##SIZE;
#define EACH_FILTER(WHO) FILTERS(DECLARE_FILTER, WHO)
#define EACH_CONVOLUTION(WHO) CONVOLUTIONS(DECLARE_CONVOLUTION, WHO)
#define EACH_TRANSFORM(WHO) TRANSFORMS(DECLARE_TRANSFORM, WHO)
FILTER_WHOS(EACH_FILTER)
CONVOLUTION_WHOS(EACH_CONVOLUTION)
TRANSFORM_WHOS(EACH_TRANSFORM)

struct entry {
    const char *workload, *who;
    int size;
    filter *filter;
    convolution *convolution;
    transform *transform;
};
#define ENTRY_FILTER(WHO, NAME) {.workload = "filter-" #NAME, .who = #WHO, .size = 128, .filter = WHO##_match_##NAME},
#define ENTRY_CONVOLUTION(WHO, NAME, SIZE) \
    {.workload = #NAME, .who = #WHO, .size = SIZE * SIZE, .convolution = WHO##_##NAME##_##SIZE},
#define ENTRY_TRANSFORM(WHO, NAME, SIZE) \
    {.workload = "fourier", .who = #WHO, .size = SIZE * 8, .transform = WHO##_##NAME##_##SIZE},
#define ENTRIES_FILTER(WHO) FILTERS(ENTRY_FILTER, WHO)
#define ENTRIES_CONVOLUTION(WHO) CONVOLUTIONS(ENTRY_CONVOLUTION, WHO)
#define ENTRIES_TRANSFORM(WHO) TRANSFORMS(ENTRY_TRANSFORM, WHO)
static const struct entry all[] = {
    FILTER_WHOS(ENTRIES_FILTER) CONVOLUTION_WHOS(ENTRIES_CONVOLUTION) TRANSFORM_WHOS(ENTRIES_TRANSFORM)
};
enum { MOST = sizeof all / sizeof *all, PACKETS = 64, BYTES = 128 };

static unsigned char packets[PACKETS][BYTES], image[64 * 64], filtered[64 * 64], first_filtered[64 * 64];
static float numbers[128], transformed[128], first_transformed[128];

/* Requests and answers of web servers and of others, fragments, addresses of here and elsewhere. */
static void make(void)
{
    static const unsigned char addresses[4][4] = {{192, 0, 2, 17}, {10, 0, 0, 1}, {192, 168, 0, 1}, {198, 51, 100, 7}};
    static const unsigned short ports[8] = {80, 443, 53, 1500, 22, 40000, 80, 443};
    for (int i = 0; i < PACKETS; i++) {
        unsigned char *at = packets[i];
        at[12] = 8;
        at[14] = 0x45;
        at[20] = i % 16 == 0;
        at[23] = i % 4 == 3 ? 17 : 6;
        memcpy(at + 26, addresses[i % 4], 4);
        memcpy(at + 30, addresses[i / 4 % 4], 4);
        const unsigned short from = ports[i / 2 % 8], to = ports[i / 5 % 8];
        at[34] = (unsigned char)(from >> 8), at[35] = (unsigned char)from;
        at[36] = (unsigned char)(to >> 8), at[37] = (unsigned char)to;
        at[46] = 0x50;
        memcpy(at + 54, i % 3 == 0 ? "GET / HTTP/1.0" : "HTTP/1.0 200 OK", 14);
    }
    unsigned word = 1;
    for (int i = 0; i < 64 * 64; i++)
        image[i] = (unsigned char)((word = word * 1664525u + 1013904223u) >> 24);
    for (int i = 0; i < 128; i++)
        numbers[i] = (float)(int)(word = word * 1664525u + 1013904223u) / 65536.0f;
}

static volatile unsigned sink;

static void run(const struct entry *entry, size_t times)
{
    unsigned sum = 0;
    for (size_t i = 0; i < times; i++) {
        if (entry->filter != NULL)
            sum += entry->filter(packets[i % PACKETS], BYTES, BYTES);
        else if (entry->convolution != NULL)
            entry->convolution(image, filtered);
        else
            entry->transform(numbers, transformed);
        __asm__ volatile("" ::: "memory");
    }
    sink = sum;
}

static double once(const struct entry *entry, double least)
{
    static size_t times[MOST];
    size_t *count = &times[entry - all];
    *count = *count == 0 ? 100 : *count;
    for (;;) {
        const double start = now(CLOCK_THREAD_CPUTIME_ID);
        run(entry, *count);
        const double taken = now(CLOCK_THREAD_CPUTIME_ID) - start;
        if (taken >= 0.7 * least)
            return taken / (double)*count;
        *count *= 2;
    }
}

/* Everyone gives what the first in the same workload gives; who takes numbers to be finite, nearly. */
static void check(const struct entry *entry)
{
    const struct entry *first = all;
    while (strcmp(first->workload, entry->workload) != 0 || first->size != entry->size)
        first++;
    int same = 1;
    if (entry->filter != NULL)
        for (int i = 0; i < PACKETS; i++)
            same &= first->filter(packets[i], BYTES, BYTES) == entry->filter(packets[i], BYTES, BYTES);
    if (entry->convolution != NULL) {
        same &= first->convolution(image, first_filtered) == entry->convolution(image, filtered);
        same &= memcmp(first_filtered, filtered, (size_t)entry->size) == 0;
    }
    if (entry->transform != NULL) {
        first->transform(numbers, first_transformed);
        entry->transform(numbers, transformed);
        for (int i = 0; i < entry->size / 4; i++) {
            const float difference = first_transformed[i] - transformed[i];
            same &= strcmp(entry->who, "finite_O3") == 0 ? difference < 1 && difference > -1 : difference == 0;
        }
    }
    if (!same) {
        fprintf(stderr, "%s: wrong result for %s\n", entry->who, entry->workload);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    pin(atoi(argv[1]));
    make();
    for (int i = 0; i < MOST; i++)
        check(&all[i]);
    for (int round = 0; round < atoi(argv[2]); round++)
        for (int i = 0; i < MOST; i++)
            printf("%s %d %s %d %.3f\n", all[i].workload, all[i].size, all[i].who, round,
                   once(&all[i], atof(argv[3]) * 1e6));
    return 0;
}
