/* SPDX-License-Identifier: MIT-0 */
/*
 * Protobuf's wire format (proto3) by tables: those of values (values.h), and beside each part the number of its field. A structure is a
 * message, a part a field. Where protobuf wants one value and C has a list or a pointer that may be NULL, and for a whole value that is no
 * message, a message stands whose field 1 it is. A union is a `oneof`; its discriminant is a field only where no arm tells it.
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

/* How one value of a type travels. */
WHITTLE_INLINE uint32_t whittle_protobuf_wire_of(const struct whittle_value_type *type)
{
    if (!whittle_protobuf_is_number(type))
        return WHITTLE_PROTOBUF_LENGTH;
    if (type->kind != WHITTLE_VALUE_FLOAT)
        return WHITTLE_PROTOBUF_VARINT;
    return type->size == 4 ? WHITTLE_PROTOBUF_FOUR : WHITTLE_PROTOBUF_EIGHT;
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

/*: protobuf_out needs protobuf values */
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

WHITTLE_INLINE char *whittle_protobuf_put_number(struct whittle_protobuf_out *out, char *at, const struct whittle_value_type *type,
                                                 const char *value)
{
    int64_t number;
    if (type->kind == WHITTLE_VALUE_FLOAT)
        return whittle_protobuf_put_fixed(out, at, value, type->size);
    number = whittle_protobuf_load(type, value);
    if (type->kind == WHITTLE_VALUE_BOOLEAN)
        number = number != 0;
    return whittle_protobuf_fits(type, number) ? whittle_protobuf_put(out, at, (uint64_t)number) : NULL;
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
    const bool is_plain = item->size == 4 && item->kind != WHITTLE_VALUE_BOOLEAN;
    const bool is_signed = item->kind != WHITTLE_VALUE_UNSIGNED;
    int32_t word;
    uint32_t i;
    if (item->kind == WHITTLE_VALUE_FLOAT && !WHITTLE_BIG_ENDIAN)
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

WHITTLE_SHARED char *whittle_protobuf_put_message(struct whittle_protobuf_out *out, char *at, uint32_t of, const char *value,
                                                  const char *around);

/* Before a value, unless that failed. */
WHITTLE_IN_PLACE char *whittle_protobuf_put_tag(struct whittle_protobuf_out *out, char *at, uint32_t number, uint32_t wire)
{
    return at == NULL ? NULL : whittle_protobuf_put(out, at, (uint64_t)number << 3 | wire);
}

/* A number that is a field of a message, unless it is 0. */
WHITTLE_IN_PLACE char *whittle_protobuf_put_member(struct whittle_protobuf_out *out, char *at, uint32_t number,
                                                   const struct whittle_value_type *type, const char *value)
{
    uint32_t word;
    if (type->size == sizeof word && type->kind != WHITTLE_VALUE_FLOAT && type->kind != WHITTLE_VALUE_BOOLEAN && at - out->begin >= 20) {
        memcpy(&word, value, sizeof word);
        if (word == 0)
            return at;
        at = whittle_protobuf_put_word(at, word, type->kind != WHITTLE_VALUE_UNSIGNED);
        return whittle_protobuf_put_here(at, (uint64_t)number << 3);
    }
    if (whittle_protobuf_load(type, value) == 0)
        return at;
    return whittle_protobuf_put_tag(out, whittle_protobuf_put_number(out, at, type, value), number, whittle_protobuf_wire_of(type));
}

/* The length of what was written since, and its tag. */
WHITTLE_INLINE char *whittle_protobuf_put_length(struct whittle_protobuf_out *out, char *at, uint32_t number, uint64_t before)
{
    const uint64_t written = at == NULL ? 0 : whittle_protobuf_written(out, at) - before;
    if (at == NULL || written > WHITTLE_PROTOBUF_MOST)
        return NULL;
    return whittle_protobuf_put_tag(out, whittle_protobuf_put(out, at, written), number, WHITTLE_PROTOBUF_LENGTH);
}

WHITTLE_INLINE char *whittle_protobuf_put_nested(struct whittle_protobuf_out *out, char *at, uint32_t number, uint32_t of, const char *value,
                                                 const char *around)
{
    const uint64_t before = whittle_protobuf_written(out, at);
    return whittle_protobuf_put_length(out, whittle_protobuf_put_message(out, at, of, value, around), number, before);
}

/* The bytes of a value that is bytes or text; false where it has no encoding. */
WHITTLE_SHARED bool whittle_protobuf_bytes(const struct whittle_value_type *type, const char *value, const char *around,
                                           const char **bytes, size_t *length)
{
    bool is_text = true;
    uint32_t count;
    switch ((enum whittle_value_kind)type->kind) {
    case WHITTLE_VALUE_TEXT:
    case WHITTLE_VALUE_INLINE_TEXT:
        if (!whittle_value_text(type, value, bytes, length))
            return false;
        break;
    default:
        if (!whittle_value_items(type, value, around, &count, bytes))
            return false;
        *length = count;
        is_text = type->kind == WHITTLE_VALUE_COUNTED_TEXT;
        break;
    }
    return *length <= WHITTLE_PROTOBUF_MOST && (!is_text || whittle_protobuf_is_text(*bytes, *length));
}

WHITTLE_INLINE bool whittle_protobuf_is_bytes(const struct whittle_value_type *type)
{
    const unsigned all = 1u << WHITTLE_VALUE_BYTES | 1u << WHITTLE_VALUE_COUNTED_BYTES | 1u << WHITTLE_VALUE_COUNTED_TEXT |
                         1u << WHITTLE_VALUE_INLINE_BYTES | 1u << WHITTLE_VALUE_INLINE_TEXT | 1u << WHITTLE_VALUE_TEXT;
    return (all >> type->kind & 1) != 0;
}

/* One value behind its tag. What is its type's default is left out, unless `is_explicit`. */
WHITTLE_SHARED char *whittle_protobuf_put_one(struct whittle_protobuf_out *out, char *at, uint32_t number, uint32_t of, const char *value,
                                              const char *around, bool is_explicit)
{
    const struct whittle_value_type *const type = &out->all->types[of];
    const char *bytes;
    size_t length;
    if (whittle_protobuf_is_number(type)) {
        if (!is_explicit && whittle_protobuf_load(type, value) == 0)
            return at;
        at = whittle_protobuf_put_number(out, at, type, value);
    } else if (whittle_protobuf_is_bytes(type)) {
        if (!whittle_protobuf_bytes(type, value, around, &bytes, &length))
            return NULL;
        if (length == 0 && !is_explicit)
            return at;
        at = whittle_protobuf_put_bytes(out, at, bytes, length);
        at = at == NULL ? NULL : whittle_protobuf_put(out, at, length);
    } else {
        return whittle_protobuf_put_nested(out, at, number, of, value, around);
    }
    return whittle_protobuf_put_tag(out, at, number, whittle_protobuf_wire_of(type));
}

WHITTLE_SHARED char *whittle_protobuf_put_list(struct whittle_protobuf_out *out, char *at, uint32_t number, uint32_t of, const char *value,
                                               const char *around)
{
    const struct whittle_value_type *const type = &out->all->types[of], *const item = &out->all->types[type->of];
    const uint64_t before = whittle_protobuf_written(out, at);
    const char *items;
    uint32_t count, i;
    if (!whittle_value_items(type, value, around, &count, &items))
        return NULL;
    if (count == 0)
        return at;
    if (!whittle_protobuf_is_number(item)) {
        for (i = count; i-- > 0 && at != NULL;)
            at = whittle_protobuf_put_one(out, at, number, type->of, items + (size_t)i * item->size, NULL, true);
        return at;
    }
    return whittle_protobuf_put_length(out, whittle_protobuf_put_numbers(out, at, item, items, count), number, before);
}

/* A field of a message: nothing, one value, or a list. */
WHITTLE_SHARED char *whittle_protobuf_put_field(struct whittle_protobuf_out *out, char *at, uint32_t number, uint32_t of,
                                                const char *value, const char *around)
{
    const struct whittle_value_type *const type = &out->all->types[of];
    const char *target;
    if (type->kind == WHITTLE_VALUE_NOTHING)
        return at;
    if (whittle_protobuf_is_list(type))
        return whittle_protobuf_put_list(out, at, number, of, value, around);
    if (type->kind != WHITTLE_VALUE_OPTIONAL && type->kind != WHITTLE_VALUE_REFERENCE)
        return whittle_protobuf_put_one(out, at, number, of, value, around, false);
    target = whittle_value_pointer(value);
    if (target == NULL)
        return type->kind == WHITTLE_VALUE_OPTIONAL ? at : NULL;
    return whittle_protobuf_put_one(out, at, number, type->of, target, NULL, true);
}

WHITTLE_SHARED char *whittle_protobuf_put_union(struct whittle_protobuf_out *out, char *at, const struct whittle_value_type *type,
                                                const char *value)
{
    const struct whittle_value_part *const parts = out->all->parts, *const by = &parts[type->first];
    const uint32_t number = out->fields[type->first].number, chosen = whittle_value_chosen(out->all, type, value);
    const bool has_arm = chosen != WHITTLE_VALUE_NO_PART && chosen != WHITTLE_VALUE_NO_VALUE;
    const bool is_behind = has_arm && number > out->fields[chosen].number;
    if (chosen == WHITTLE_VALUE_NO_VALUE)
        return NULL;
    if (is_behind)
        at = whittle_protobuf_put_field(out, at, number, by->type, value + by->at, value);
    if (has_arm && at != NULL && out->all->types[parts[chosen].type].kind != WHITTLE_VALUE_NOTHING)
        at = whittle_protobuf_put_one(out, at, out->fields[chosen].number, parts[chosen].type, value + parts[chosen].at, value, true);
    if (number != 0 && !is_behind && at != NULL)
        at = whittle_protobuf_put_field(out, at, number, by->type, value + by->at, value);
    return at;
}

WHITTLE_SHARED char *whittle_protobuf_put_message(struct whittle_protobuf_out *out, char *at, uint32_t of, const char *value,
                                                  const char *around)
{
    const struct whittle_value_type *const type = &out->all->types[of];
    uint32_t i;
    if (++out->depth > WHITTLE_MAX_DEPTH)
        return NULL;
    if (type->kind == WHITTLE_VALUE_UNION) {
        at = whittle_protobuf_put_union(out, at, type, value);
    } else if (type->kind == WHITTLE_VALUE_STRUCTURE) {
        const struct whittle_protobuf_field *const fields = &out->fields[type->first];
        const struct whittle_value_part *const parts = &out->all->parts[type->first];
        for (i = type->count; i-- > 0 && at != NULL && fields[i].nth_number != 0;) {
            const struct whittle_value_part *const part = &parts[fields[i].nth];
            const struct whittle_value_type *const one = &out->all->types[part->type];
            const char *const at_part = value + part->at;
            const uint32_t number = fields[i].nth_number;
            if (one->kind == WHITTLE_VALUE_STRUCTURE)
                at = whittle_protobuf_put_nested(out, at, number, part->type, at_part, value);
            else if (!whittle_protobuf_is_number(one))
                at = whittle_protobuf_put_field(out, at, number, part->type, at_part, value);
            else
                at = whittle_protobuf_put_member(out, at, number, one, at_part);
        }
    } else {
        at = whittle_protobuf_put_field(out, at, 1, of, value, around);
    }
    if (at != NULL)
        out->depth--;
    return at;
}

WHITTLE_INLINE enum whittle_codec_status whittle_protobuf_status(const struct whittle_protobuf_out *out)
{
    return out->is_full ? WHITTLE_CODEC_NO_ROOM : out->depth > WHITTLE_MAX_DEPTH ? WHITTLE_CODEC_TOO_DEEP : WHITTLE_CODEC_INVALID_VALUE;
}

WHITTLE_SHARED enum whittle_codec_status whittle_protobuf_encode(const struct whittle_protobuf *table, uint32_t of, const void *value,
                                                                 void *buffer, size_t room, size_t *size)
{
    char nowhere[1];
    char *const from = buffer == NULL ? nowhere : (char *)buffer;
    char *const end = buffer == NULL ? from : from + room;
    struct whittle_protobuf_out out = {table->values, table->fields, from, end, 0, 0, false, false};
    char *const at = whittle_protobuf_put_message(&out, end, of, (const char *)value, NULL);
    const size_t length = at == NULL || end - at > WHITTLE_PROTOBUF_MOST ? 0 : (size_t)(end - at);
    if (size != NULL)
        *size = length;
    if (at == NULL || (length == 0 && at != end))
        return whittle_protobuf_status(&out);
    if (at != from && length > 0)
        memmove(from, at, length);
    return WHITTLE_CODEC_OK;
}

WHITTLE_SHARED enum whittle_codec_status whittle_protobuf_size(const struct whittle_protobuf *table, uint32_t of, const void *value,
                                                               size_t *size)
{
    char window[32];
    struct whittle_protobuf_out out = {table->values, table->fields, window, window + sizeof window, 0, 0, true, false};
    const char *const at = whittle_protobuf_put_message(&out, window + sizeof window, of, (const char *)value, NULL);
    const uint64_t length = at == NULL ? 0 : whittle_protobuf_written(&out, at);
    const bool is_valid = at != NULL && length <= WHITTLE_PROTOBUF_MOST;
    *size = is_valid ? (size_t)length : 0;
    return is_valid ? WHITTLE_CODEC_OK : whittle_protobuf_status(&out);
}

/*: end_of_protobuf */
#endif
