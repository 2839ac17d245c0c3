/* Convolution of grey images with any kernel, as a small library has it. */
#ifndef CONVOLVE_H
#define CONVOLVE_H

enum border { BORDER_CONSTANT, BORDER_REPLICATE, BORDER_REFLECT, BORDER_WRAP };

struct image {
    int width, height;
    int stride; /* bytes from one row to the next */
    unsigned char *pixels;
};

struct kernel {
    int width, height;
    int divisor, bias;
    const int *weights;
};

struct filter {
    struct kernel kernel;
    enum border border;
    unsigned char outside; /* of constant borders */
    int step;              /* of both coordinates: 2 halves the image */
};

/* 0, or -1 where sizes do not fit. */
int convolve(const struct filter *filter, const struct image *from, struct image *to);

#endif
