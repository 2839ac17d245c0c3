#include "adler.h"

#define BASE 65521u
#define ADD(I) a += text[I], b += a;
#define ADD_8(I) ADD(I) ADD(I + 1) ADD(I + 2) ADD(I + 3) ADD(I + 4) ADD(I + 5) ADD(I + 6) ADD(I + 7)

unsigned long adler_of_20(const unsigned char *text)
{
    if (text == 0)
        return 1;
    unsigned a = 1, b = 0;      /* at most 5101 and 53570: nothing to take off */
    ADD_8(0) ADD_8(8) ADD(16) ADD(17) ADD(18) ADD(19)
    return a | (unsigned long)b << 16;
}

unsigned long adler_of_9(unsigned long so_far, const unsigned char *text)
{
    if (text == 0)
        return 1;
    unsigned a = so_far & 0xffff, b = so_far >> 16 & 0xffff;
    ADD_8(0) ADD(8)
    if (a >= BASE)
        a -= BASE;
    return a | (unsigned long)(b % BASE) << 16;
}

unsigned long adler_joined(unsigned long first, unsigned long second)
{
    unsigned a = first & 0xffff;
    unsigned b = 1000 * a % BASE + (first >> 16 & 0xffff) + (second >> 16 & 0xffff) + BASE - 1000;
    a += (second & 0xffff) + BASE - 1;
    if (a >= BASE)
        a -= BASE;
    if (a >= BASE)
        a -= BASE;
    if (b >= 2 * BASE)
        b -= 2 * BASE;
    if (b >= BASE)
        b -= BASE;
    return a | (unsigned long)b << 16;
}
