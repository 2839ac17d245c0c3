/* SPDX-License-Identifier: MIT-0 */
/*
 * Names of operations as machine words: a dispatch is a switch on eight bytes at a time, as the host reads them.
 * Source: Flick (PLDI'97) section 3.3.
 */
#ifndef WHITTLE_CORBA_NAME_WORD_H
#define WHITTLE_CORBA_NAME_WORD_H
#include <stdint.h>
#include <string.h>

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define WHITTLE_NAME_WORD(a, b, c, d, e, f, g, h) \
    ((uint64_t)(a) << 56 | (uint64_t)(b) << 48 | (uint64_t)(c) << 40 | (uint64_t)(d) << 32 | (uint64_t)(e) << 24 | \
     (uint64_t)(f) << 16 | (uint64_t)(g) << 8 | (uint64_t)(h))
#else
#define WHITTLE_NAME_WORD(a, b, c, d, e, f, g, h) \
    ((uint64_t)(a) | (uint64_t)(b) << 8 | (uint64_t)(c) << 16 | (uint64_t)(d) << 24 | (uint64_t)(e) << 32 | \
     (uint64_t)(f) << 40 | (uint64_t)(g) << 48 | (uint64_t)(h) << 56)
#endif

static inline uint64_t whittle_name_word(const char *name, unsigned offset)
{
    uint64_t word;
    memcpy(&word, name + offset, sizeof word);
    return word;
}

#endif
