#include "bf.h"

long shout(const unsigned char *text, size_t length, unsigned char *result, size_t room)
{
    const unsigned char *const end = text + length;
    unsigned char sum = 0, *at = result, *const limit = result + room;
    for (; text < end && *text != 0; text++) {
        const unsigned char letter = (unsigned char)(*text - 32);
        if (at == limit)
            return -1;
        *at++ = letter;
        sum = (unsigned char)(sum + letter);
    }
    if (at == limit)
        return -1;
    *at++ = (unsigned char)(2 * sum);
    return at - result;
}
