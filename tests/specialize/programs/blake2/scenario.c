#include <whittle/specialize.h>
#include "blake2.h"
#include "tag.h"

static const unsigned char key[16] = {0x31, 0x41, 0x59, 0x26, 0x53, 0x58, 0x97, 0x93, 0x23, 0x84, 0x62, 0x64, 0x33, 0x83, 0x27, 0x95};

WHITTLE_SPECIALIZE
int tag_message(unsigned char *tag, const unsigned char *message)
{
    return blake2s(tag, message, key, TAG, MESSAGE, sizeof key);
}
