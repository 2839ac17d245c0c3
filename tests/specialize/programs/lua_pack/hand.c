#include <endian.h>
#include <stdint.h>
#include <string.h>
#include "pack.h"

static inline void put(char *to, const void *from, size_t size)
{
    memcpy(to, from, size);
}

/* I2 at 0, B at 2, one byte at 3, i4 at 4, i3 at 8, 5 bytes to align, I8 at 16, the text at 24. */
size_t pack_header(const union value *values, char *to)
{
    const uint16_t two = htobe16((uint16_t)values[0].integer);
    const uint32_t four = htobe32((uint32_t)values[2].integer), three = htobe32((uint32_t)values[3].integer << 8);
    const uint64_t eight = htobe64((uint64_t)values[4].integer);
    const size_t length = strlen(values[5].text) + 1;
    put(to, &two, 2);
    to[2] = (char)values[1].integer;
    to[3] = 0;
    put(to + 4, &four, 4);
    put(to + 8, &three, 3);
    memset(to + 11, 0, 5);
    put(to + 16, &eight, 8);
    put(to + 24, values[5].text, length);
    return 24 + length;
}

/* i2 at 0, 2 bytes to align, d at 4, f at 12, s1 at 16; then as much as aligns to 4, and j. From f on the highest byte is first. */
size_t pack_point(const union value *values, char *to)
{
    const float small = (float)values[2].number;
    uint32_t four;
    const uint16_t two = htole16((uint16_t)values[0].integer);
    const uint64_t eight = htobe64((uint64_t)values[4].integer);
    const size_t length = strlen(values[3].text);
    size_t total = 17 + length;
    put(to, &two, 2);
    to[2] = to[3] = 0;
    put(to + 4, &values[1].number, 8);
    memcpy(&four, &small, 4);
    four = htobe32(four);
    put(to + 12, &four, 4);
    to[16] = (char)length;
    put(to + 17, values[3].text, length);
    while (total % 4 != 0)
        to[total++] = 0;
    put(to + total, &eight, 8);
    return total + 8;
}
