/* A kernel, a border and a size that are known; pixels are not. Compiled as it stands it is the original. */
#include <whittle/specialize.h>

#include "convolve.h"

static const int sharpening[] = {0, -1, 0, -1, 5, -1, 0, -1, 0};
static const int blurring[] = {1, 4, 6, 4, 1, 4, 16, 24, 16, 4, 6, 24, 36, 24, 6, 4, 16, 24, 16, 4, 1, 4, 6, 4, 1};
static const int edges[] = {-1, 0, 1, -2, 0, 2};

static const struct filter sharpen = {{3, 3, 1, 0, sharpening}, BORDER_REPLICATE, 0, 1};
static const struct filter blur = {{5, 5, 256, 0, blurring}, BORDER_REFLECT, 0, 1};
static const struct filter halve = {{5, 5, 256, 0, blurring}, BORDER_CONSTANT, 128, 2};
static const struct filter detect = {{3, 2, 2, 100, edges}, BORDER_WRAP, 0, 1};

#define FILTER(NAME, FILTER, WIDTH, HEIGHT)                                                                            \
    WHITTLE_SPECIALIZE int NAME(unsigned char *restrict from, unsigned char *restrict to)                              \
    {                                                                                                                  \
        const struct image source = {WIDTH, HEIGHT, WIDTH, from};                                                      \
        struct image target = {WIDTH / FILTER.step, HEIGHT / FILTER.step, WIDTH / FILTER.step, to};                    \
        return convolve(&FILTER, &source, &target);                                                                    \
    }

FILTER(sharpen_16, sharpen, 16, 16)
FILTER(blur_16, blur, 16, 16)
FILTER(halve_16, halve, 16, 16)
FILTER(detect_16, detect, 16, 10)
