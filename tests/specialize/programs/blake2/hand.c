#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "tag.h"

#define MIX(a, b, c, d, x, y) \
    do { \
        a += b + x, d = turn(d ^ a, 16), c += d, b = turn(b ^ c, 12); \
        a += b + y, d = turn(d ^ a, 8), c += d, b = turn(b ^ c, 7); \
    } while (0)

#define ROUND(i, j, k, l, m, n, o, p, q, r, s, t, u, w, x, y) \
    do { \
        MIX(v[0], v[4], v[8], v[12], word[i], word[j]); \
        MIX(v[1], v[5], v[9], v[13], word[k], word[l]); \
        MIX(v[2], v[6], v[10], v[14], word[m], word[n]); \
        MIX(v[3], v[7], v[11], v[15], word[o], word[p]); \
        MIX(v[0], v[5], v[10], v[15], word[q], word[r]); \
        MIX(v[1], v[6], v[11], v[12], word[s], word[t]); \
        MIX(v[2], v[7], v[8], v[13], word[u], word[w]); \
        MIX(v[3], v[4], v[9], v[14], word[x], word[y]); \
    } while (0)

static inline uint32_t turn(uint32_t x, int bits)
{
    return x >> bits | x << (32 - bits);
}

int tag_message(unsigned char *tag, const unsigned char *message)
{
    /* The state behind the block of the key. */
    static const uint32_t keyed[8] = {0x00703b74, 0x4a986a40, 0x831a8766, 0x07123272, 0x93f74551, 0x669208fc, 0xb4fd69c7, 0xdacd2e5b};
    uint32_t v[16] = {
        0x00703b74, 0x4a986a40, 0x831a8766, 0x07123272, 0x93f74551, 0x669208fc, 0xb4fd69c7, 0xdacd2e5b,
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f ^ (64 + MESSAGE), 0x9b05688c, ~0x1f83d9abu, 0x5be0cd19,
    };
    uint32_t word[16] = {0}, out[TAG / 4];
    if (tag == NULL || message == NULL)
        return -1;
    memcpy(word, message, MESSAGE);
    ROUND(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    ROUND(14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3);
    ROUND(11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4);
    ROUND(7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8);
    ROUND(9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13);
    ROUND(2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9);
    ROUND(12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11);
    ROUND(13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10);
    ROUND(6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5);
    ROUND(10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0);
    for (int i = 0; i < TAG / 4; i++)
        out[i] = keyed[i] ^ v[i] ^ v[i + 8];
    memcpy(tag, out, TAG);
    return 0;
}
