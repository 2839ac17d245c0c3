#include "pixels.h"

void convert_row(const uint8_t *from, uint8_t *to, int width)
{
    for (int x = 0; x < width; x++, from += 2, to += 4) {
        const unsigned pixel = from[0] | (unsigned)from[1] << 8;
        const unsigned red = pixel >> 11, green = pixel >> 5 & 63, blue = pixel & 31;
        to[0] = (uint8_t)(blue << 3 | blue >> 2);
        to[1] = (uint8_t)(green << 2 | green >> 4);
        to[2] = (uint8_t)(red << 3 | red >> 2);
        to[3] = 255;
    }
}
