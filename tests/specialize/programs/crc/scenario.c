#include <whittle/specialize.h>
#include "crc.h"

static const struct crc_model ccitt = { 16, 0x1021, 0xffff, 0, 0, 0 };
static const struct crc_model ethernet = { 32, 0x04c11db7, 0xffffffff, 0xffffffff, 1, 1 };

WHITTLE_SPECIALIZE
uint32_t crc_ccitt(const unsigned char *data, size_t size)
{
    return (uint32_t)crc(&ccitt, data, size);
}

WHITTLE_SPECIALIZE
uint32_t crc_ethernet(const unsigned char *data, size_t size)
{
    return (uint32_t)crc(&ethernet, data, size);
}
