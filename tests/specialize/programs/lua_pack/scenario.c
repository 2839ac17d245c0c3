#include <whittle/specialize.h>
#include "pack.h"

WHITTLE_SPECIALIZE
size_t pack_header(const union value *values, char *to)
{
    return pack(">I2 B x i4 i3 !8 I8 z", values, to);
}

WHITTLE_SPECIALIZE
size_t pack_point(const union value *values, char *to)
{
    return pack("<!4 i2 d >f s1 Xi4 j", values, to);
}
