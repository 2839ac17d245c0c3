/* Conversion between formats of pixels. */
#include "pixels.h"

static int place(uint32_t mask, int *shift, int *bits)
{
    *shift = *bits = 0;
    if (mask == 0)
        return 0;
    for (; !(mask & 1); mask >>= 1)
        ++*shift;
    for (; mask & 1; mask >>= 1)
        ++*bits;
    return mask == 0 && *bits <= 8 ? 0 : -1;
}

int pixel_map_open(struct pixel_map *map, const struct pixel_format *from, const struct pixel_format *to)
{
    map->from = from;
    map->to = to;
    for (int i = 0; i < 4; i++)
        if (place(from->masks[i], &map->from_shift[i], &map->from_bits[i]) != 0 || place(to->masks[i], &map->to_shift[i], &map->to_bits[i]) != 0)
            return -1;
    return 0;
}

static uint32_t load(const uint8_t *at, int bytes)
{
    uint32_t pixel = 0;
    for (int i = 0; i < bytes; i++)
        pixel |= (uint32_t)at[i] << (8 * i);
    return pixel;
}

static void store(uint8_t *at, int bytes, uint32_t pixel)
{
    for (int i = 0; i < bytes; i++)
        at[i] = (uint8_t)(pixel >> (8 * i));
}

/* Repeats the bits of a component up to eight. */
static uint32_t widen(uint32_t value, int bits)
{
    uint32_t result = 0;
    int shift = 8 - bits;
    if (bits == 0)
        return 255;
    for (; shift > 0; shift -= bits)
        result |= value << shift;
    return result | value >> -shift;
}

static uint32_t map_pixel(const struct pixel_map *map, uint32_t pixel)
{
    uint32_t result = 0;
    for (int i = 0; i < 4; i++) {
        const uint32_t component = widen((pixel & map->from->masks[i]) >> map->from_shift[i], map->from_bits[i]);
        if (map->to_bits[i] != 0)
            result |= component >> (8 - map->to_bits[i]) << map->to_shift[i];
    }
    return result;
}

void pixel_map_row(const struct pixel_map *map, const uint8_t *from, uint8_t *to, int width)
{
    for (int x = 0; x < width; x++) {
        store(to, map->to->bytes, map_pixel(map, load(from, map->from->bytes)));
        from += map->from->bytes;
        to += map->to->bytes;
    }
}
