/* SPDX-License-Identifier: MIT-0 */
/*
 * Protobuf's wire format (proto3) by tables: those of values (values.h), and beside each part the number of its field. A structure is a
 * message, a part a field. Where protobuf wants one value and C has a list or a pointer that may be NULL, and for a whole value that is no
 * message, a message stands whose field 1 it is. A union is a `oneof`; its discriminant is a field only where no arm implies it.
 */
#ifndef WHITTLE_PROTOBUF_H
#define WHITTLE_PROTOBUF_H
#include <whittle/codec.h>
#include <whittle/values.h>

/*: protobuf needs values codec_memory */
#ifndef WHITTLE_MAX_DEPTH
#define WHITTLE_MAX_DEPTH 1000
#endif
#define WHITTLE_PROTOBUF_NONE 0xffffffffu
/* What a parser of protobuf's takes at most. */
#define WHITTLE_PROTOBUF_MOST 0x7fffffffu

enum whittle_protobuf_wire {
    WHITTLE_PROTOBUF_VARINT = 0,
    WHITTLE_PROTOBUF_EIGHT = 1,
    WHITTLE_PROTOBUF_LENGTH = 2,
    WHITTLE_PROTOBUF_GROUP = 3,
    WHITTLE_PROTOBUF_END = 4,
    WHITTLE_PROTOBUF_FOUR = 5
};

/* How a whole number travels; its type has it as `count`. */
enum whittle_protobuf_form {
    WHITTLE_PROTOBUF_PLAIN = 0,     /* int32, uint32, int64, uint64 */
    WHITTLE_PROTOBUF_ZIGZAG = 1,    /* sint32, sint64 */
    WHITTLE_PROTOBUF_FIXED = 2      /* fixed32, fixed64, sfixed32, sfixed64 */
};

/* At a part's place in the table of parts. The part of a discriminant has `nth` arms behind it. */
struct whittle_protobuf_field {
    uint32_t number;        /* the part's field; 0: it is none of its own */
    uint32_t nth;           /* the part that comes here by number, counted from the first of its type */
    uint32_t nth_number;    /* and its number */
    uint32_t label;         /* of an arm: what selects it; of a discriminant: what selects no arm */
};

struct whittle_protobuf {
    const struct whittle_values *values;
    const struct whittle_protobuf_field *fields;
};

WHITTLE_INLINE bool whittle_protobuf_is_number(const struct whittle_value_type *type)
{
    return type->kind >= WHITTLE_VALUE_SIGNED && type->kind <= WHITTLE_VALUE_ENUMERATION;
}

WHITTLE_INLINE bool whittle_protobuf_is_list(const struct whittle_value_type *type)
{
    return type->kind == WHITTLE_VALUE_ARRAY || type->kind == WHITTLE_VALUE_COUNTED_ARRAY || type->kind == WHITTLE_VALUE_INLINE_ARRAY;
}

WHITTLE_INLINE uint32_t whittle_protobuf_form_of(const struct whittle_value_type *type)
{
    const uint32_t usual = WHITTLE_PROTOBUF_PLAIN;
    return type->kind == WHITTLE_VALUE_SIGNED || type->kind == WHITTLE_VALUE_UNSIGNED ? type->count : usual;
}

/* The bytes of a number that always takes as many; 0: it takes more the greater it is. */
WHITTLE_INLINE uint32_t whittle_protobuf_fixed_size(const struct whittle_value_type *type)
{
    if (type->kind == WHITTLE_VALUE_FLOAT)
        return (uint32_t)type->size;
    return whittle_protobuf_form_of(type) != WHITTLE_PROTOBUF_FIXED ? 0 : type->wire > 4 ? 8 : 4;
}

/* Numbers of these types lie in memory as in the message. */
WHITTLE_INLINE bool whittle_protobuf_is_as_in_memory(const struct whittle_value_type *type)
{
    return !WHITTLE_BIG_ENDIAN && whittle_protobuf_fixed_size(type) == type->size;
}

/* How one value of a type travels. */
WHITTLE_INLINE uint32_t whittle_protobuf_wire_of(const struct whittle_value_type *type)
{
    uint32_t fixed;
    if (!whittle_protobuf_is_number(type))
        return WHITTLE_PROTOBUF_LENGTH;
    fixed = whittle_protobuf_fixed_size(type);
    return fixed == 0 ? WHITTLE_PROTOBUF_VARINT : fixed == 4 ? WHITTLE_PROTOBUF_FOUR : WHITTLE_PROTOBUF_EIGHT;
}

/* Whether texts are what proto3 has as `string`: UTF-8, without halves of pairs and longer forms than need be (RFC 3629). */
WHITTLE_SHARED bool whittle_protobuf_is_text(const char *text, size_t length)
{
    const unsigned char *at = (const unsigned char *)text, *const end = at + length;
    uint64_t eight;
    while (at < end) {
        unsigned more, least, code;
        if (end - at >= 32) {
            uint64_t ahead[4];
            memcpy(ahead, at, sizeof ahead);
            if (((ahead[0] | ahead[1] | ahead[2] | ahead[3]) & 0x8080808080808080u) == 0) {
                at += sizeof ahead;
                continue;
            }
        }
        if (end - at >= 8) {
            memcpy(&eight, at, sizeof eight);
            if ((eight & 0x8080808080808080u) == 0) {
                at += 8;
                continue;
            }
        }
        code = *at++;
        if (code < 0x80)
            continue;
        if (code < 0xc2 || code > 0xf4)
            return false;
        more = code < 0xe0 ? 1 : code < 0xf0 ? 2 : 3;
        least = more == 1 ? 0x80 : more == 2 ? 0x800 : 0x10000;
        code &= 0x3fu >> more;
        if ((size_t)(end - at) < more)
            return false;
        for (; more > 0; more--, at++) {
            if ((*at & 0xc0) != 0x80)
                return false;
            code = code << 6 | (*at & 0x3fu);
        }
        if (code < least || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
            return false;
    }
    return true;
}

/*: end_of_protobuf */
#endif
