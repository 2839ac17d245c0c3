/* SPDX-License-Identifier: MIT-0 */
/*
 * Places in CDR messages: alignment, room, and single words, for what no plan compiles. Positions count from `base`; a
 * NULL cursor stays NULL, so that a chain of steps is tested once. Source: CORBA 3, part 2, section "CDR Transfer
 * Syntax".
 */
#ifndef WHITTLE_CORBA_PLACE_H
#define WHITTLE_CORBA_PLACE_H
#include "../../include/whittle/cdr_in.h"
#include "../../include/whittle/cdr_out.h"
#include "sending.h"
#include "typecode.h"
#include <string.h>

#define WHITTLE_PLACE __attribute__((unused)) static inline
#define WHITTLE_LITTLE_ENDIAN (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

/* On to a multiple of `alignment`, where there is room for `size` bytes. */
WHITTLE_PLACE char *whittle_place(struct whittle_cdr_out *out, char *at, size_t alignment, size_t size)
{
    if (at == NULL)
        return NULL;
    const size_t gap = (size_t)(out->base - at) & (alignment - 1);
    if (size > SIZE_MAX - gap)
        return NULL;
    if ((size_t)(out->end - at) < gap + size) {
        at = out->grow == NULL ? NULL : out->grow(out, at, gap + size);
        if (at == NULL)
            return NULL;
    }
    memset(at, 0, gap);
    return at + gap;
}

WHITTLE_PLACE char *whittle_place_bytes(struct whittle_cdr_out *out, char *at, size_t alignment, const void *bytes,
                                        size_t size)
{
    at = whittle_place(out, at, alignment, size);
    if (at == NULL || size == 0)
        return at;
    memcpy(at, bytes, size);
    return at + size;
}

WHITTLE_PLACE char *whittle_place_octet(struct whittle_cdr_out *out, char *at, uint8_t value)
{
    return whittle_place_bytes(out, at, 1, &value, 1);
}

/* A word of 1, 2, 4, 8 or 16 bytes, turned round where that is so asked. */
WHITTLE_PLACE void whittle_take(void *to, const void *from, size_t size, bool swapped)
{
    char *const bytes = (char *)to;
    for (size_t index = 0; swapped && index < size; index++)
        bytes[index] = ((const char *)from)[size - 1 - index];
    if (!swapped)
        memcpy(to, from, size);
}

/* Words of so many bytes, in the order that is sent. */
WHITTLE_PLACE char *whittle_place_words(struct whittle_cdr_out *out, char *at, size_t word, const void *words,
                                        size_t count)
{
    if (!WHITTLE_SENDS_SWAPPED || word == 1)
        return whittle_place_bytes(out, at, word > 8 ? 8 : word, words, word * count);
    at = whittle_place(out, at, word > 8 ? 8 : word, word * count);
    for (size_t index = 0; at != NULL && index < count; index++, at += word)
        whittle_take(at, (const char *)words + index * word, word, true);
    return at;
}

WHITTLE_PLACE char *whittle_place16(struct whittle_cdr_out *out, char *at, uint16_t value)
{
    return whittle_place_words(out, at, sizeof value, &value, 1);
}

WHITTLE_PLACE char *whittle_place32(struct whittle_cdr_out *out, char *at, uint32_t value)
{
    return whittle_place_words(out, at, sizeof value, &value, 1);
}

/* On to a multiple of `alignment`, where `size` bytes are. */
WHITTLE_PLACE const char *whittle_find(const struct whittle_cdr_in *in, const char *at, size_t alignment, size_t size)
{
    if (at == NULL)
        return NULL;
    const size_t gap = (size_t)(in->base - at) & (alignment - 1);
    const size_t there = (size_t)(in->end - at);
    return gap > there || size > there - gap ? NULL : at + gap;
}

WHITTLE_PLACE const char *whittle_find_bytes(const struct whittle_cdr_in *in, const char *at, void *to, size_t size,
                                             bool swapped)
{
    at = whittle_find(in, at, size > 8 ? 8 : size, size);
    if (at == NULL)
        return NULL;
    whittle_take(to, at, size, swapped);
    return at + size;
}

WHITTLE_PLACE const char *whittle_find16(const struct whittle_cdr_in *in, const char *at, uint16_t *value, bool swapped)
{
    return whittle_find_bytes(in, at, value, sizeof *value, swapped);
}

WHITTLE_PLACE const char *whittle_find32(const struct whittle_cdr_in *in, const char *at, uint32_t *value, bool swapped)
{
    return whittle_find_bytes(in, at, value, sizeof *value, swapped);
}

/*
 * A text: `text` is where it is in the message, its one NUL is its last byte. Some send a length of 0 for an empty one.
 */
WHITTLE_PLACE const char *whittle_find_text(const struct whittle_cdr_in *in, const char *at, const char **text,
                                            uint32_t *length, bool swapped)
{
    uint32_t size = 0;
    at = whittle_find32(in, at, &size, swapped);
    at = whittle_find(in, at, 1, size);
    if (at == NULL || (size > 0 && memchr(at, 0, size) != at + size - 1))
        return NULL;
    *text = size == 0 ? "" : at;
    *length = size == 0 ? 0 : size - 1;
    return at + size;
}

WHITTLE_PLACE char *whittle_place_text(struct whittle_cdr_out *out, char *at, const char *text)
{
    const size_t size = text == NULL ? 0 : strlen(text);
    if (size >= UINT32_MAX)
        return NULL;
    at = whittle_place_bytes(out, whittle_place32(out, at, (uint32_t)size + 1), 1, text, size);
    return whittle_place_octet(out, at, 0);
}

/* Kinds whose values are one word that has the same bits in memory: how many bytes; 0 for all others. */
WHITTLE_PLACE size_t whittle_word_size(CORBA_TCKind kind)
{
    switch (kind) {
    case CORBA_tk_char: case CORBA_tk_octet: case CORBA_tk_boolean:
        return 1;
    case CORBA_tk_short: case CORBA_tk_ushort:
        return 2;
    case CORBA_tk_long: case CORBA_tk_ulong: case CORBA_tk_float: case CORBA_tk_enum:
        return 4;
    case CORBA_tk_longlong: case CORBA_tk_ulonglong: case CORBA_tk_double:
        return 8;
    default:
        return 0;
    }
}

#endif
