#include <whittle/specialize.h>
#include "block.c"

WHITTLE_SPECIALIZE
int inflate_block(const unsigned char *packed, unsigned size, unsigned char *text, unsigned room)
{
    return block(packed, size, text, room);
}
