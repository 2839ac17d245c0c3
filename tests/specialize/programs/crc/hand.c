#include "crc.h"

/* Bit by bit as well: the reflected form of the polynomial needs no reflection of data. */
uint32_t crc_ccitt(const unsigned char *data, size_t size)
{
    uint32_t value = 0xffff;
    for (size_t i = 0; i < size; i++) {
        value ^= (uint32_t)data[i] << 8;
        for (int bit = 0; bit < 8; bit++)
            value = (value << 1 ^ (0u - (value >> 15 & 1) & 0x1021)) & 0xffff;
    }
    return value;
}

uint32_t crc_ethernet(const unsigned char *data, size_t size)
{
    uint32_t value = 0xffffffff;
    for (size_t i = 0; i < size; i++) {
        value ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            value = value >> 1 ^ (0u - (value & 1) & 0xedb88320);
    }
    return ~value;
}
