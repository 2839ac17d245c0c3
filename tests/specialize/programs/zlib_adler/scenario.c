#include <whittle/specialize.h>
#include <zlib.h>
#include "adler.h"

WHITTLE_SPECIALIZE
unsigned long adler_of_20(const unsigned char *text)
{
    return adler32(1, text, 20);
}

WHITTLE_SPECIALIZE
unsigned long adler_of_9(unsigned long so_far, const unsigned char *text)
{
    return adler32(so_far, text, 9);
}

WHITTLE_SPECIALIZE
unsigned long adler_joined(unsigned long first, unsigned long second)
{
    return adler32_combine(first, second, 1000);
}
