/* SPDX-License-Identifier: MIT-0 */
/* Protobuf's numbers and bytes, written: protobuf_out.h. */
#ifndef WHITTLE_PROTOBUF_PUT_H
#define WHITTLE_PROTOBUF_PUT_H
#include <whittle/protobuf.h>

/*: protobuf_put needs protobuf values */
/* Bytes are written from the end of the room to its beginning, so that each length is known once what it counts is there. */
struct whittle_protobuf_out {
    const struct whittle_values *all;
    const struct whittle_protobuf_field *fields;
    char *begin;
    char *end;
    uint64_t passed;    /* bytes that were counted and are not kept */
    unsigned depth;
    bool counts;        /* none is kept */
    bool is_full;
};

WHITTLE_COLD char *whittle_protobuf_more(struct whittle_protobuf_out *out, char *at)
{
    if (out->counts) {
        out->passed += (uint64_t)(out->end - at);
        return out->end;
    }
    out->is_full = true;
    return NULL;
}

/* How many bytes have been written behind `at`. */
WHITTLE_INLINE uint64_t whittle_protobuf_written(const struct whittle_protobuf_out *out, const char *at)
{
    return out->passed + (uint64_t)(out->end - at);
}

WHITTLE_INLINE unsigned whittle_protobuf_length(uint64_t number)
{
    return ((63u - (unsigned)__builtin_clzll(number | 1)) * 9 + 73) / 64;
}

/* Eight bytes with their least significant first, whatever the machine has. */
WHITTLE_IN_PLACE uint64_t whittle_protobuf_eight(uint64_t number)
{
    return WHITTLE_BIG_ENDIAN ? __builtin_bswap64(number) : number;
}

/* A number as its end is to stand at `at`; there is room for ten bytes. What lies before the number may be written, too. */
WHITTLE_IN_PLACE char *whittle_protobuf_put_here(char *at, uint64_t number)
{
    uint64_t bytes = number & 0xffffffffffffffu;
    if (WHITTLE_LIKELY(number < 0x80)) {
        *--at = (char)number;
        return at;
    }
    /* Seven bits to a byte: halves, quarters, eighths. */
    bytes = (bytes & 0xfffffff0000000u) << 4 | (bytes & 0xfffffffu);
    bytes = (bytes & 0x0fffc0000fffc000u) << 2 | (bytes & 0x00003fff00003fffu);
    bytes = (bytes & 0x3f803f803f803f80u) << 1 | (bytes & 0x007f007f007f007fu);
    if (number >> 56 == 0) {
        const unsigned length = whittle_protobuf_length(number);
        bytes |= 0x8080808080808080u & ((UINT64_C(1) << (8 * (length - 1))) - 1);
        bytes = whittle_protobuf_eight(bytes << (8 * (8 - length)));
        memcpy(at - 8, &bytes, sizeof bytes);
        return at - length;
    }
    if (number >> 63 != 0)
        *--at = 1;
    *--at = (char)(number >> 63 != 0 ? number >> 56 | 0x80 : number >> 56);
    bytes = whittle_protobuf_eight(bytes | 0x8080808080808080u);
    memcpy(at - 8, &bytes, sizeof bytes);
    return at - 8;
}

/* The same for a number of 32 bits; below zero it is one of 64. */
WHITTLE_IN_PLACE char *whittle_protobuf_put_word(char *at, uint32_t word, bool is_signed)
{
    uint32_t bytes = word & 0xfffffffu;
    if (word < 0x80) {
        *--at = (char)word;
        return at;
    }
    bytes = (bytes & 0x0fffc000u) << 2 | (bytes & 0x3fffu);
    bytes = (bytes & 0x3f803f80u) << 1 | (bytes & 0x007f007fu);
    if (word >> 28 == 0) {
        const unsigned length = whittle_protobuf_length(word);
        bytes |= 0x808080u >> (8 * (4 - length));
        bytes = (uint32_t)(whittle_protobuf_eight((uint64_t)bytes << (8 * (8 - length))) >> (WHITTLE_BIG_ENDIAN ? 0 : 32));
        memcpy(at - 4, &bytes, sizeof bytes);
        return at - length;
    }
    bytes = (uint32_t)(whittle_protobuf_eight(bytes | 0x80808080u) >> (WHITTLE_BIG_ENDIAN ? 32 : 0));
    if (is_signed && word >> 31 != 0) {
        at -= 10;
        memset(at + 5, 0xff, 4);
        at[9] = 1;
        at[4] = (char)(word >> 28 | 0xf0);
    } else {
        at -= 5;
        at[4] = (char)(word >> 28);
    }
    memcpy(at, &bytes, sizeof bytes);
    return at;
}

/* The same where there may be less room. */
WHITTLE_APART char *whittle_protobuf_put_close(struct whittle_protobuf_out *out, char *at, uint64_t number)
{
    char *to;
    const unsigned length = whittle_protobuf_length(number);
    if ((size_t)(at - out->begin) < length)
        at = whittle_protobuf_more(out, at);
    if (at == NULL)
        return NULL;
    at -= length;
    for (to = at; number >= 0x80; number >>= 7)
        *to++ = (char)(number | 0x80);
    *to = (char)number;
    return at;
}

WHITTLE_IN_PLACE char *whittle_protobuf_put(struct whittle_protobuf_out *out, char *at, uint64_t number)
{
    return WHITTLE_LIKELY(at - out->begin >= 10) ? whittle_protobuf_put_here(at, number) : whittle_protobuf_put_close(out, at, number);
}

WHITTLE_SHARED char *whittle_protobuf_put_bytes(struct whittle_protobuf_out *out, char *at, const char *bytes, size_t length)
{
    if (length == 0)
        return at;
    if (out->counts) {
        out->passed += length;
        return at;
    }
    if ((size_t)(at - out->begin) < length) {
        out->is_full = true;
        return NULL;
    }
    at -= length;
    memcpy(at, bytes, length);
    return at;
}

/* A number of 4 or 8 bytes, its least significant byte first. */
WHITTLE_SHARED char *whittle_protobuf_put_fixed(struct whittle_protobuf_out *out, char *at, const char *value, size_t size)
{
    char bytes[8];
    size_t i;
    for (i = 0; i < size; i++)
        bytes[i] = value[WHITTLE_BIG_ENDIAN ? size - 1 - i : i];
    return whittle_protobuf_put_bytes(out, at, bytes, size);
}

/* False where a number is longer in C than in the message, and does not fit there. */
WHITTLE_INLINE bool whittle_protobuf_fits(const struct whittle_value_type *type, int64_t number)
{
    if (type->size <= 4 || type->wire != 4)
        return true;
    return type->kind == WHITTLE_VALUE_UNSIGNED ? (uint64_t)number <= UINT32_MAX : number == (int32_t)number;
}

/* The most usual number first. */
WHITTLE_IN_PLACE int64_t whittle_protobuf_load(const struct whittle_value_type *type, const char *value)
{
    int32_t word;
    if (type->size != sizeof word)
        return whittle_value_number(type, value);
    memcpy(&word, value, sizeof word);
    return type->kind == WHITTLE_VALUE_UNSIGNED || type->kind == WHITTLE_VALUE_BOOLEAN ? (int64_t)(uint32_t)word : word;
}

/* A whole number in a form that is not the usual one. */
WHITTLE_SHARED char *whittle_protobuf_put_formed(struct whittle_protobuf_out *out, char *at, const struct whittle_value_type *type,
                                                 int64_t number)
{
    const size_t size = whittle_protobuf_fixed_size(type);
    const uint64_t bits = (uint64_t)number;
    char bytes[8];
    size_t i;
    if (size == 0)
        return whittle_protobuf_put(out, at, number < 0 ? ~(bits << 1) : bits << 1);
    for (i = 0; i < size; i++)
        bytes[i] = (char)(unsigned char)(bits >> (8 * i));
    return whittle_protobuf_put_bytes(out, at, bytes, size);
}

WHITTLE_INLINE char *whittle_protobuf_put_number(struct whittle_protobuf_out *out, char *at, const struct whittle_value_type *type,
                                                 const char *value)
{
    int64_t number;
    if (type->kind == WHITTLE_VALUE_FLOAT)
        return whittle_protobuf_put_fixed(out, at, value, type->size);
    number = whittle_protobuf_load(type, value);
    if (type->kind == WHITTLE_VALUE_BOOLEAN)
        number = number != 0;
    if (!whittle_protobuf_fits(type, number))
        return NULL;
    if (whittle_protobuf_form_of(type) != WHITTLE_PROTOBUF_PLAIN)
        return whittle_protobuf_put_formed(out, at, type, number);
    return whittle_protobuf_put(out, at, (uint64_t)number);
}

WHITTLE_IN_PLACE char *whittle_protobuf_put_words(struct whittle_protobuf_out *out, char *at, const char *items, uint32_t count,
                                                  bool is_signed)
{
    const char *const begin = out->begin;
    uint32_t word;
    for (items += (size_t)count * sizeof word; count > 0; count--) {
        items -= sizeof word;
        memcpy(&word, items, sizeof word);
        if (WHITTLE_LIKELY(at - begin >= 10))
            at = whittle_protobuf_put_word(at, word, is_signed);
        else
            at = whittle_protobuf_put_close(out, at, is_signed ? (uint64_t)(int64_t)(int32_t)word : word);
        if (at == NULL)
            return NULL;
    }
    return at;
}

/* Numbers without their tags, the last first. */
WHITTLE_SHARED char *whittle_protobuf_put_numbers(struct whittle_protobuf_out *out, char *at, const struct whittle_value_type *item,
                                                  const char *items, uint32_t count)
{
    const bool is_plain = item->size == 4 && item->kind != WHITTLE_VALUE_BOOLEAN && whittle_protobuf_form_of(item) == WHITTLE_PROTOBUF_PLAIN;
    const bool is_signed = item->kind != WHITTLE_VALUE_UNSIGNED;
    int32_t word;
    uint32_t i;
    if (whittle_protobuf_is_as_in_memory(item))
        return whittle_protobuf_put_bytes(out, at, items, (size_t)count * item->size);
    if (item->kind == WHITTLE_VALUE_FLOAT || !is_plain) {
        for (i = count; i-- > 0 && at != NULL;)
            at = whittle_protobuf_put_number(out, at, item, items + (size_t)i * item->size);
        return at;
    }
    if (out->counts) {
        uint64_t length = 0;
        for (i = 0; i < count; i++) {
            memcpy(&word, items + (size_t)i * sizeof word, sizeof word);
            length += whittle_protobuf_length(is_signed ? (uint64_t)(int64_t)word : (uint32_t)word);
        }
        out->passed += length;
        return at;
    }
    return is_signed ? whittle_protobuf_put_words(out, at, items, count, true) : whittle_protobuf_put_words(out, at, items, count, false);
}

/*: end_of_protobuf_put */
#endif
