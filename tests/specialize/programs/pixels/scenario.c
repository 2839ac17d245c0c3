#include <whittle/specialize.h>
#include "pixels.h"

static const struct pixel_format rgb565 = { 2, { 0xf800, 0x07e0, 0x001f, 0 } };
static const struct pixel_format argb8888 = { 4, { 0x00ff0000, 0x0000ff00, 0x000000ff, 0xff000000 } };

WHITTLE_SPECIALIZE
void convert_row(const uint8_t *from, uint8_t *to, int width)
{
    struct pixel_map map;
    if (pixel_map_open(&map, &rgb565, &argb8888) == 0)
        pixel_map_row(&map, from, to, width);
}
