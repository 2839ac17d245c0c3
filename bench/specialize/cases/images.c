/* The images that are timed. */
#include <whittle/specialize.h>

#include "convolve.h"

static const int sharpening[] = {0, -1, 0, -1, 5, -1, 0, -1, 0};
static const int blurring[] = {1, 4, 6, 4, 1, 4, 16, 24, 16, 4, 6, 24, 36, 24, 6, 4, 16, 24, 16, 4, 1, 4, 6, 4, 1};
static const struct filter sharp = {{3, 3, 1, 0, sharpening}, BORDER_REPLICATE, 0, 1};
static const struct filter blurred = {{5, 5, 256, 0, blurring}, BORDER_REFLECT, 0, 1};

#define FILTER(NAME, FILTER, SIZE)                                                                                     \
    WHITTLE_SPECIALIZE int NAME##_##SIZE(unsigned char *restrict from, unsigned char *restrict to)                     \
    {                                                                                                                  \
        const struct image source = {SIZE, SIZE, SIZE, from};                                                          \
        struct image target = {SIZE, SIZE, SIZE, to};                                                                  \
        return convolve(&FILTER, &source, &target);                                                                    \
    }

FILTER(sharpen, sharp, 16)
FILTER(sharpen, sharp, 64)
FILTER(blur, blurred, 16)
FILTER(blur, blurred, 64)
