#include <stdint.h>
#include <string.h>
#include <zlib.h>
#include "crc.h"

/* The tables are zlib's: crc32.h has them as static data. */
#define local static
#define N 5
#define W 8
#ifndef FAR
#define FAR
#endif
typedef uint64_t z_word_t;
#include "crc32.h"

unsigned long crc_header(const unsigned char *header)
{
    if (header == NULL)
        return 0;
    uint32_t crc = 0xffffffff;
    for (int i = 0; i < 26; i++)
        crc = crc >> 8 ^ crc_table[(crc ^ header[i]) & 0xff];
    return ~crc;
}

#define BYTE(WORD, K) crc_braid_table[K][(WORD) >> 8 * K & 0xff]
#define BRAID(WORD) \
    (BYTE(WORD, 0) ^ BYTE(WORD, 1) ^ BYTE(WORD, 2) ^ BYTE(WORD, 3) ^ BYTE(WORD, 4) ^ BYTE(WORD, 5) ^ BYTE(WORD, 6) ^ BYTE(WORD, 7))

static inline uint32_t by_bytes(uint64_t data)
{
    for (int k = 0; k < 8; k++)
        data = data >> 8 ^ crc_table[data & 0xff];
    return (uint32_t)data;
}

/* 12 blocks of 5 words, the last of them apart, and 32 bytes. */
unsigned long crc_sector(const unsigned char *sector)
{
    if (sector == NULL)
        return 0;
    uint32_t a = 0xffffffff, b = 0, c = 0, d = 0, e = 0;
    uint64_t w[64];
    memcpy(w, sector, sizeof w);
    int at = 0;
    for (; at < 55; at += 5) {
        const uint64_t v = w[at] ^ a, x = w[at + 1] ^ b, y = w[at + 2] ^ c, z = w[at + 3] ^ d, u = w[at + 4] ^ e;
        a = BRAID(v);
        b = BRAID(x);
        c = BRAID(y);
        d = BRAID(z);
        e = BRAID(u);
    }
    uint32_t crc = by_bytes(a ^ w[at]);
    crc = by_bytes(b ^ w[at + 1] ^ crc);
    crc = by_bytes(c ^ w[at + 2] ^ crc);
    crc = by_bytes(d ^ w[at + 3] ^ crc);
    crc = by_bytes(e ^ w[at + 4] ^ crc);
    for (int k = 60; k < 64; k++)
        crc = by_bytes(crc ^ w[k]);
    return ~crc;
}

/* The first sum times x^(8*512), modulo the polynomial: a constant, the highest bit of which is x^0. */
#define POWER 0x8e7ea170u
#define STEP(I) p ^= b & -(POWER >> (31 - (I)) & 1), b = b >> 1 ^ (0xedb88320 & -(b & 1));
#define STEPS(I) STEP(I) STEP(I + 1) STEP(I + 2) STEP(I + 3) STEP(I + 4) STEP(I + 5) STEP(I + 6) STEP(I + 7)

unsigned long join_sectors(unsigned long first, unsigned long second)
{
    uint32_t b = (uint32_t)first, p = 0;
    STEPS(0) STEPS(8) STEPS(16) STEPS(24)
    return p ^ (second & 0xffffffff);
}
