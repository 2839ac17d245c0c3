#include <stdint.h>

/* Where red, green, blue and alpha are in a pixel: a mask for each, or 0. */
struct pixel_format {
    int bytes; /* 1 to 4, the lowest first */
    uint32_t masks[4];
};

struct pixel_map {
    const struct pixel_format *from, *to;
    int from_shift[4], from_bits[4];
    int to_shift[4], to_bits[4];
};

/* Zero, or -1 on masks with holes or more than eight bits. */
int pixel_map_open(struct pixel_map *map, const struct pixel_format *from, const struct pixel_format *to);
void pixel_map_row(const struct pixel_map *map, const uint8_t *from, uint8_t *to, int width);

void convert_row(const uint8_t *from, uint8_t *to, int width);
