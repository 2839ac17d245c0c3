/* Filters as they are (original_NAME) and specialized (NAME), on random images: every byte is the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILTERS(DO) DO(sharpen_16) DO(blur_16) DO(halve_16) DO(detect_16)

typedef int filter(unsigned char *restrict from, unsigned char *restrict to);
#define DECLARE(NAME) filter original_##NAME, NAME;
FILTERS(DECLARE)
#define ENTRY(NAME) {#NAME, original_##NAME, NAME},
static const struct { const char *name; filter *original, *specialized; } filters[] = {FILTERS(ENTRY)};
enum { COUNT = sizeof filters / sizeof *filters, ROUNDS = 500, PIXELS = 16 * 16 };

int main(void)
{
    unsigned char *const from = malloc(PIXELS);
    static unsigned char expected[PIXELS], to[PIXELS];
    unsigned word = 1;
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < COUNT; i++) {
            for (int at = 0; at < PIXELS; at++) {
                word = word * 1664525u + 1013904223u;
                /* Some images of extremes. */
                from[at] = (unsigned char)(round % 3 == 0 ? (word >> 31) * 255 : word >> 24);
            }
            memset(expected, 7, sizeof expected);
            memset(to, 7, sizeof to);
            const int result = filters[i].original(from, expected);
            if (filters[i].specialized(from, to) != result || memcmp(expected, to, sizeof to) != 0) {
                printf("%s differs in round %d\n", filters[i].name, round);
                return 1;
            }
        }
    free(from);
    printf("%d filters, %d rounds\n", COUNT, ROUNDS);
    return 0;
}
