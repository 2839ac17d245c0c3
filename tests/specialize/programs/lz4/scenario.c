#include <whittle/specialize.h>
#include "block.h"
#include "lz4.h"

WHITTLE_SPECIALIZE
int unpack_block(const char *packed, int size, char *block)
{
    return LZ4_decompress_safe(packed, block, size, BLOCK);
}
