/* SPDX-License-Identifier: MIT-0 */
/*
 * HMAC-SHA256, for proofs that a process has a key: programs that call through shared memory need no library of cryptography for it.
 * In: the key, and what is proven, in pieces. Out: the proof. No step depends on the key but its arithmetic. Source: FIPS 180-4 and
 * RFC 2104.
 */
#include "keys.h"

enum { WHITTLE_NET_SHA_BLOCK = 64, WHITTLE_NET_SHA_WORDS = 8, WHITTLE_NET_SHA_ROUNDS = 64 };

struct whittle_net_sha {
    uint32_t state[WHITTLE_NET_SHA_WORDS];
    uint64_t size;                      /* bytes so far; those of a block that is not whole are in `block` */
    uint8_t block[WHITTLE_NET_SHA_BLOCK];
};

/* The fractional parts of the square roots of the first primes, and of the cube roots. */
static const uint32_t whittle_net_sha_begin[WHITTLE_NET_SHA_WORDS] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
static const uint32_t whittle_net_sha_rounds[WHITTLE_NET_SHA_ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t whittle_net_turn(uint32_t word, unsigned by)
{
    return word >> by | word << (32 - by);
}

/* The block's words, and as many more made of them as there are rounds. */
static void whittle_net_sha_spread(const uint8_t *block, uint32_t *words)
{
    for (size_t at = 0; at < 16; at++)
        words[at] = (uint32_t)block[4 * at] << 24 | (uint32_t)block[4 * at + 1] << 16 | (uint32_t)block[4 * at + 2] << 8 | block[4 * at + 3];
    for (size_t at = 16; at < WHITTLE_NET_SHA_ROUNDS; at++) {
        const uint32_t old = words[at - 15], recent = words[at - 2];
        words[at] = words[at - 16] + (whittle_net_turn(old, 7) ^ whittle_net_turn(old, 18) ^ old >> 3) + words[at - 7]
            + (whittle_net_turn(recent, 17) ^ whittle_net_turn(recent, 19) ^ recent >> 10);
    }
}

static void whittle_net_sha_mix(uint32_t *state, const uint8_t *block)
{
    uint32_t words[WHITTLE_NET_SHA_ROUNDS], now[WHITTLE_NET_SHA_WORDS];
    whittle_net_sha_spread(block, words);
    memcpy(now, state, sizeof now);
    for (size_t round = 0; round < WHITTLE_NET_SHA_ROUNDS; round++) {
        const uint32_t a = now[0], e = now[4];
        const uint32_t one = now[7] + (whittle_net_turn(e, 6) ^ whittle_net_turn(e, 11) ^ whittle_net_turn(e, 25)) + ((e & now[5]) ^ (~e & now[6]))
            + whittle_net_sha_rounds[round] + words[round];
        const uint32_t two = (whittle_net_turn(a, 2) ^ whittle_net_turn(a, 13) ^ whittle_net_turn(a, 22))
            + ((a & now[1]) ^ (a & now[2]) ^ (now[1] & now[2]));
        memmove(now + 1, now, sizeof now - sizeof *now);
        now[4] += one;
        now[0] = one + two;
    }
    for (size_t at = 0; at < WHITTLE_NET_SHA_WORDS; at++)
        state[at] += now[at];
    whittle_net_key_forget(words, sizeof words);
    whittle_net_key_forget(now, sizeof now);
}

static void whittle_net_sha_add(struct whittle_net_sha *sha, const void *bytes, size_t size)
{
    const uint8_t *from = (const uint8_t *)bytes;
    while (size > 0) {
        const size_t filled = (size_t)(sha->size % WHITTLE_NET_SHA_BLOCK), room = WHITTLE_NET_SHA_BLOCK - filled, some = size < room ? size : room;
        memcpy(sha->block + filled, from, some);
        sha->size += some;
        from += some;
        size -= some;
        if (some == room)
            whittle_net_sha_mix(sha->state, sha->block);
    }
}

/* A block first, which is the key's with each byte changed so. */
static void whittle_net_sha_open(struct whittle_net_sha *sha, const struct whittle_net_key *key, uint8_t change)
{
    uint8_t block[WHITTLE_NET_SHA_BLOCK] = {0};
    memcpy(sha->state, whittle_net_sha_begin, sizeof sha->state);
    sha->size = 0;
    memcpy(block, key->bytes, sizeof key->bytes);
    for (size_t at = 0; at < sizeof block; at++)
        block[at] ^= change;
    whittle_net_sha_add(sha, block, sizeof block);
    whittle_net_key_forget(block, sizeof block);
}

static void whittle_net_sha_close(struct whittle_net_sha *sha, uint8_t hash[WHITTLE_NET_PROOF])
{
    static const uint8_t end[WHITTLE_NET_SHA_BLOCK] = {0x80};
    const uint64_t bits = 8 * sha->size;
    const size_t filled = (size_t)(sha->size % WHITTLE_NET_SHA_BLOCK), most = WHITTLE_NET_SHA_BLOCK - sizeof bits;
    uint8_t count[sizeof bits];
    for (size_t at = 0; at < sizeof bits; at++)
        count[at] = (uint8_t)(bits >> (56 - 8 * at));
    whittle_net_sha_add(sha, end, filled < most ? most - filled : most + WHITTLE_NET_SHA_BLOCK - filled);
    whittle_net_sha_add(sha, count, sizeof count);
    for (size_t at = 0; at < WHITTLE_NET_PROOF; at++)
        hash[at] = (uint8_t)(sha->state[at / 4] >> (24 - 8 * (at % 4)));
    whittle_net_key_forget(sha, sizeof *sha);
}

void whittle_net_hmac(const struct whittle_net_key *key, const struct whittle_net_piece *pieces, size_t count, uint8_t proof[WHITTLE_NET_PROOF])
{
    enum { INNER = 0x36, OUTER = 0x5c };
    struct whittle_net_sha sha;
    whittle_net_sha_open(&sha, key, INNER);
    for (size_t at = 0; at < count; at++)
        whittle_net_sha_add(&sha, pieces[at].bytes, pieces[at].size);
    whittle_net_sha_close(&sha, proof);
    whittle_net_sha_open(&sha, key, OUTER);
    whittle_net_sha_add(&sha, proof, WHITTLE_NET_PROOF);
    whittle_net_sha_close(&sha, proof);
}
