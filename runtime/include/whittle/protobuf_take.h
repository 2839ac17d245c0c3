/* SPDX-License-Identifier: MIT-0 */
/* Protobuf's tags and numbers, read, and fields skipped: protobuf_in.h. */
#ifndef WHITTLE_PROTOBUF_TAKE_H
#define WHITTLE_PROTOBUF_TAKE_H
#include <whittle/protobuf.h>

/*: protobuf_take needs protobuf codec_memory */
/* Fields of a message of which it is kept without an allocation what has come. */
#define WHITTLE_PROTOBUF_FEW 24

struct whittle_protobuf_in {
    const struct whittle_values *all;
    const struct whittle_protobuf_field *fields;
    struct whittle_codec_memory memory;
    unsigned depth;
};

/* Near the end. */
WHITTLE_APART const char *whittle_protobuf_close_varint(const char *at, const char *end, uint64_t *number)
{
    unsigned shift;
    *number = 0;
    for (shift = 0; shift < 70 && at < end; shift += 7) {
        const unsigned char byte = (unsigned char)*at++;
        *number |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return at;
    }
    return NULL;
}

/* The first eight bytes at once. */
WHITTLE_IN_PLACE const char *whittle_protobuf_long_varint(const char *at, const char *end, uint64_t *number)
{
    uint64_t bytes, ends;
    if (end - at < 10)
        return whittle_protobuf_close_varint(at, end, number);
    memcpy(&bytes, at, sizeof bytes);
    bytes = whittle_protobuf_eight(bytes);
    ends = ~bytes & 0x8080808080808080u;
    /* Nothing behind the byte that ends the number. */
    bytes &= 0x7f7f7f7f7f7f7f7fu & (ends ^ (ends - 1));
    bytes = (bytes & 0x7f007f007f007f00u) >> 1 | (bytes & 0x007f007f007f007fu);
    bytes = (bytes & 0x3fff00003fff0000u) >> 2 | (bytes & 0x00003fff00003fffu);
    *number = (bytes & 0x0fffffff00000000u) >> 4 | (bytes & 0x0fffffffu);
    if (ends != 0)
        return at + (unsigned)__builtin_ctzll(ends) / 8 + 1;
    *number |= (uint64_t)((unsigned char)at[8] & 0x7f) << 56;
    if ((unsigned char)at[8] < 0x80)
        return at + 9;
    *number |= (uint64_t)(unsigned char)at[9] << 63;
    return (unsigned char)at[9] < 0x80 ? at + 10 : NULL;
}

WHITTLE_IN_PLACE const char *whittle_protobuf_varint(const char *at, const char *end, uint64_t *number)
{
    if (WHITTLE_LIKELY(at < end && (unsigned char)*at < 0x80)) {
        *number = (unsigned char)*at;
        return at + 1;
    }
    return whittle_protobuf_long_varint(at, end, number);
}

/* A field's number and wire type. */
WHITTLE_IN_PLACE const char *whittle_protobuf_tag(const char *at, const char *end, uint32_t *tag)
{
    uint64_t number;
    at = whittle_protobuf_varint(at, end, &number);
    if (at == NULL || number > UINT32_MAX || number < 8)
        return NULL;
    *tag = (uint32_t)number;
    return at;
}

/* The end of what a length says. */
WHITTLE_IN_PLACE const char *whittle_protobuf_counted(const char **at, const char *end)
{
    uint64_t length;
    *at = whittle_protobuf_varint(*at, end, &length);
    return *at == NULL || length > (uint64_t)(end - *at) ? NULL : *at + length;
}

WHITTLE_SHARED const char *whittle_protobuf_skip(struct whittle_protobuf_in *in, const char *at, const char *end, uint32_t tag)
{
    uint64_t number;
    uint32_t inner;
    switch (tag & 7) {
    case WHITTLE_PROTOBUF_VARINT:
        return whittle_protobuf_varint(at, end, &number);
    case WHITTLE_PROTOBUF_EIGHT:
        return end - at < 8 ? NULL : at + 8;
    case WHITTLE_PROTOBUF_LENGTH:
        return whittle_protobuf_counted(&at, end);
    case WHITTLE_PROTOBUF_FOUR:
        return end - at < 4 ? NULL : at + 4;
    case WHITTLE_PROTOBUF_GROUP:
        if (++in->depth > WHITTLE_MAX_DEPTH)
            return NULL;
        do {
            at = whittle_protobuf_tag(at, end, &inner);
            if (at != NULL && (inner & 7) != WHITTLE_PROTOBUF_END)
                at = whittle_protobuf_skip(in, at, end, inner);
        } while (at != NULL && (inner & 7) != WHITTLE_PROTOBUF_END);
        if (at == NULL || inner >> 3 != tag >> 3)
            return NULL;
        in->depth--;
        return at;
    default:
        return NULL;
    }
}

WHITTLE_SHARED void whittle_protobuf_store(const struct whittle_value_type *type, char *value, uint64_t number)
{
    const uint8_t one = (uint8_t)number;
    const uint16_t two = (uint16_t)number;
    const uint32_t four = (uint32_t)number;
    switch (type->size) {
    case 1:
        memcpy(value, &one, sizeof one);
        break;
    case 2:
        memcpy(value, &two, sizeof two);
        break;
    case 4:
        memcpy(value, &four, sizeof four);
        break;
    default:
        memcpy(value, &number, sizeof number);
        break;
    }
}

/* A number of its message's as the type has it: cut to 32 bits, as protobuf says; false where the type has no such number. */
WHITTLE_SHARED bool whittle_protobuf_accept(const struct whittle_values *all, const struct whittle_value_type *type, uint64_t *number)
{
    const unsigned bits = 8u * type->wire;
    uint32_t i;
    if (type->kind == WHITTLE_VALUE_BOOLEAN) {
        *number = *number != 0;
        return true;
    }
    if (bits >= 64)
        return true;
    if (type->kind == WHITTLE_VALUE_UNSIGNED) {
        *number = (uint32_t)*number;
        return *number >> bits == 0;
    }
    *number = (uint64_t)(int64_t)(int32_t)(uint32_t)*number;
    if (bits < 32 && (*number + (UINT64_C(1) << (bits - 1))) >> bits != 0)
        return false;
    if (type->kind != WHITTLE_VALUE_ENUMERATION || type->labels == 0)
        return true;
    for (i = 0; i < type->count; i++)
        if (all->names[type->first + i].value == (int64_t)*number)
            return true;
    return false;
}

WHITTLE_SHARED const char *whittle_protobuf_take_fixed(const struct whittle_value_type *type, const char *at, const char *end, char *value)
{
    size_t i;
    if ((size_t)(end - at) < type->size)
        return NULL;
    for (i = 0; i < type->size; i++)
        value[i] = at[WHITTLE_BIG_ENDIAN ? type->size - 1 - i : i];
    return at + type->size;
}

/* The bits of a whole number that is not in the usual form, as if it were. */
WHITTLE_SHARED const char *whittle_protobuf_take_formed(const struct whittle_value_type *type, const char *at, const char *end,
                                                        uint64_t *number)
{
    const uint32_t size = whittle_protobuf_fixed_size(type);
    uint64_t bits = 0;
    uint32_t i;
    if (size == 0) {
        at = whittle_protobuf_varint(at, end, &bits);
        if (type->wire <= 4)
            bits = (uint32_t)bits;
        *number = (bits & 1) != 0 ? ~(bits >> 1) : bits >> 1;
        return at;
    }
    if ((size_t)(end - at) < size)
        return NULL;
    for (i = 0; i < size; i++)
        bits |= (uint64_t)(unsigned char)at[i] << (8 * i);
    *number = bits;
    return at + size;
}

WHITTLE_IN_PLACE const char *whittle_protobuf_take_number(struct whittle_protobuf_in *in, const struct whittle_value_type *type, const char *at,
                                                     const char *end, char *value)
{
    uint64_t number;
    if (type->kind == WHITTLE_VALUE_FLOAT)
        return whittle_protobuf_take_fixed(type, at, end, value);
    at = whittle_protobuf_form_of(type) == WHITTLE_PROTOBUF_PLAIN ? whittle_protobuf_varint(at, end, &number)
                                                                  : whittle_protobuf_take_formed(type, at, end, &number);
    if (at == NULL || !whittle_protobuf_accept(in->all, type, &number))
        return NULL;
    whittle_protobuf_store(type, value, number);
    return at;
}

/*: end_of_protobuf_take */
#endif
