#include "convolve.h"

/* A coordinate brought into the image, or -1 for outside. */
static int inside(int at, int size, enum border border)
{
    if (at >= 0 && at < size)
        return at;
    switch (border) {
    case BORDER_REPLICATE:
        return at < 0 ? 0 : size - 1;
    case BORDER_REFLECT:
        while (at < 0 || at >= size)
            at = at < 0 ? -1 - at : 2 * size - 1 - at;
        return at;
    case BORDER_WRAP:
        at %= size;
        return at < 0 ? at + size : at;
    default:
        return -1;
    }
}

static int pixel(const struct filter *filter, const struct image *image, int x, int y)
{
    x = inside(x, image->width, filter->border);
    y = inside(y, image->height, filter->border);
    if (x < 0 || y < 0)
        return filter->outside;
    return image->pixels[y * image->stride + x];
}

static unsigned char finished(const struct kernel *kernel, int sum)
{
    sum = sum / kernel->divisor + kernel->bias;
    return (unsigned char)(sum < 0 ? 0 : sum > 255 ? 255 : sum);
}

/* Where the kernel may reach beyond the image. */
static unsigned char at_border(const struct filter *filter, const struct image *image, int x, int y)
{
    const struct kernel *kernel = &filter->kernel;
    const int left = x - kernel->width / 2, top = y - kernel->height / 2;
    int sum = 0;
    for (int row = 0; row < kernel->height; row++)
        for (int column = 0; column < kernel->width; column++)
            sum += kernel->weights[row * kernel->width + column] * pixel(filter, image, left + column, top + row);
    return finished(kernel, sum);
}

/* Where it does not. */
static unsigned char within(const struct kernel *kernel, const struct image *image, int x, int y)
{
    const unsigned char *from = image->pixels + (y - kernel->height / 2) * image->stride + x - kernel->width / 2;
    int sum = 0;
    for (int row = 0; row < kernel->height; row++)
        for (int column = 0; column < kernel->width; column++)
            sum += kernel->weights[row * kernel->width + column] * from[row * image->stride + column];
    return finished(kernel, sum);
}

int convolve(const struct filter *filter, const struct image *from, struct image *to)
{
    const struct kernel *kernel = &filter->kernel;
    const int step = filter->step;
    if (step < 1 || kernel->divisor == 0)
        return -1;
    if (to->width != (from->width + step - 1) / step || to->height != (from->height + step - 1) / step)
        return -1;
    /* What is further in needs no look at the border: the targets from `left` and `top` to before `right` and `bottom`. */
    const int left = (kernel->width / 2 + step - 1) / step, top = (kernel->height / 2 + step - 1) / step;
    const int right = (from->width - (kernel->width - 1) / 2 + step - 1) / step;
    const int bottom = (from->height - (kernel->height - 1) / 2 + step - 1) / step;
    for (int y = 0; y < to->height; y++) {
        unsigned char *row = to->pixels + y * to->stride;
        if (y < top || y >= bottom || left >= right) {
            for (int x = 0; x < to->width; x++)
                row[x] = at_border(filter, from, x * step, y * step);
            continue;
        }
        for (int x = 0; x < left; x++)
            row[x] = at_border(filter, from, x * step, y * step);
        for (int x = left; x < right; x++)
            row[x] = within(kernel, from, x * step, y * step);
        for (int x = right; x < to->width; x++)
            row[x] = at_border(filter, from, x * step, y * step);
    }
    return 0;
}
