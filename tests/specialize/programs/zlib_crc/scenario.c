#include <whittle/specialize.h>
#include <zlib.h>
#include "crc.h"

WHITTLE_SPECIALIZE
unsigned long crc_header(const unsigned char *header)
{
    return crc32(0, header, 26);
}

WHITTLE_SPECIALIZE
unsigned long crc_sector(const unsigned char *sector)
{
    WHITTLE_FACT(((unsigned long)sector & 7) == 0);
    return crc32(0, sector, 512);
}

WHITTLE_SPECIALIZE
unsigned long join_sectors(unsigned long first, unsigned long second)
{
    return crc32_combine(first, second, 512);
}
