#include "machine.h"

int hash_words(const uint32_t *words, uint32_t count, uint32_t *result)
{
    uint32_t hash = 5381;
    for (uint32_t i = 0; i < count; i++)
        hash = 33 * hash ^ words[i];
    for (int round = 0; round < 16; round++)
        hash = (hash ^ hash >> 15) * 0x2c1b3c6d;
    *result = hash;
    return DONE;
}
