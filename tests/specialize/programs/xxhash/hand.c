#include <string.h>
#include "key.h"

static const uint64_t A = 0x9E3779B185EBCA87u, B = 0xC2B2AE3D27D4EB4Fu, C = 0x165667B19E3779F9u, D = 0x85EBCA77C2B2AE63u, E = 0x27D4EB2F165667C5u;

static uint64_t turn(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

static uint32_t turn32(uint32_t x, int bits)
{
    return x << bits | x >> (32 - bits);
}

static uint64_t word(const unsigned char *at)
{
    uint64_t x;
    memcpy(&x, at, 8);
    return x;
}

static uint32_t word32(const unsigned char *at)
{
    uint32_t x;
    memcpy(&x, at, 4);
    return x;
}

static uint64_t round_of(uint64_t sum, uint64_t x)
{
    return turn(sum + x * B, 31) * A;
}

uint64_t hash_key(const struct key *key)
{
    const unsigned char *at = (const unsigned char *)key;
    const uint64_t a = round_of(42 + A + B, word(at)), b = round_of(42 + B, word(at + 8));
    const uint64_t c = round_of(42, word(at + 16)), d = round_of(42 - A, word(at + 24));
    uint64_t hash = turn(a, 1) + turn(b, 7) + turn(c, 12) + turn(d, 18);
    hash = (hash ^ round_of(0, a)) * A + D;
    hash = (hash ^ round_of(0, b)) * A + D;
    hash = (hash ^ round_of(0, c)) * A + D;
    hash = (hash ^ round_of(0, d)) * A + D;
    hash += sizeof *key;
    hash = turn(hash ^ round_of(0, word(at + 32)), 27) * A + D;
    hash = turn(hash ^ word32(at + 40) * A, 23) * B + C;
    for (int i = 44; i < (int)sizeof *key; i++)
        hash = turn(hash ^ at[i] * E, 11) * A;
    hash = (hash ^ hash >> 33) * B;
    hash = (hash ^ hash >> 29) * C;
    return hash ^ hash >> 32;
}

uint32_t hash_short(const struct key *key)
{
    const unsigned char *at = (const unsigned char *)key;
    uint32_t hash = 7 + 0x165667B1u + 13;
    for (int i = 0; i < 12; i += 4)
        hash = turn32(hash + word32(at + i) * 0xC2B2AE3Du, 17) * 0x27D4EB2Fu;
    hash = turn32(hash + at[12] * 0x165667B1u, 11) * 0x9E3779B1u;
    hash = (hash ^ hash >> 15) * 0x85EBCA77u;
    hash = (hash ^ hash >> 13) * 0xC2B2AE3Du;
    return hash ^ hash >> 16;
}
