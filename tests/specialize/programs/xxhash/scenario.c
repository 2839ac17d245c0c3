#include <whittle/specialize.h>
#include "key.h"
#include "xxhash.h"

WHITTLE_SPECIALIZE
uint64_t hash_key(const struct key *key)
{
    return XXH64(key, sizeof *key, 42);
}

WHITTLE_SPECIALIZE
uint32_t hash_short(const struct key *key)
{
    return XXH32(key, 13, 7);
}
