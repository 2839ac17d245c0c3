/* SPDX-License-Identifier: MIT-0 */
/*
 * Values by tables that describe their types: how many bytes their encoding takes, whether two are equal, copies, text. What comes last in
 * a value, the rest of a list, is looked at by a loop, so that lists of any length need one frame. What a value's pointers lead to is the
 * caller's word; its counts are held against their bounds.
 */
#ifndef WHITTLE_VALUES_H
#define WHITTLE_VALUES_H
#include <stdio.h>
#include <whittle/words.h>
#include "../../codec/codec.h"

/*: values needs bool attributes */
enum whittle_value_kind {
    WHITTLE_VALUE_NOTHING,
    WHITTLE_VALUE_SIGNED,
    WHITTLE_VALUE_UNSIGNED,
    WHITTLE_VALUE_FLOAT,
    WHITTLE_VALUE_BOOLEAN,
    WHITTLE_VALUE_ENUMERATION,      /* `first` and `count`: its names; `labels` 1: no other numbers */
    WHITTLE_VALUE_RAW,
    WHITTLE_VALUE_STRUCTURE,        /* `first` and `count`: its parts */
    WHITTLE_VALUE_UNION,            /* `first`: the part that chooses; `labels` and `count`: what chooses which part */
    WHITTLE_VALUE_ARRAY,            /* `most` of `of` */
    WHITTLE_VALUE_BYTES,            /* `most` */
    WHITTLE_VALUE_COUNTED_ARRAY,    /* a count at `count_at`, a pointer at `data_at`; `count` 1: as CORBA has sequences, */
                                    /* with their room before the count, and whose it is behind the pointer */
    WHITTLE_VALUE_COUNTED_BYTES,
    WHITTLE_VALUE_COUNTED_TEXT,
    WHITTLE_VALUE_INLINE_ARRAY,     /* a count at `count_at` of the structure around it */
    WHITTLE_VALUE_INLINE_BYTES,
    WHITTLE_VALUE_INLINE_TEXT,      /* `most` + 1 bytes */
    WHITTLE_VALUE_TEXT,
    WHITTLE_VALUE_OPTIONAL,
    WHITTLE_VALUE_REFERENCE
};

#define WHITTLE_VALUE_NO_PART 0xffffffffu       /* nothing is chosen */
#define WHITTLE_VALUE_NO_VALUE 0xfffffffeu      /* there is no such value */

struct whittle_value_type {
    uint8_t kind;
    uint8_t wire;       /* bytes of a number in the encoding */
    uint8_t align;      /* they begin at a multiple of this */
    size_t size;        /* bytes in C */
    uint32_t of;        /* the type of items, or of what is pointed to */
    uint32_t most;      /* a length, or the bound of one */
    uint32_t first;
    uint32_t count;
    uint32_t labels;
    uint32_t otherwise; /* the part of a union that no label chooses */
    size_t count_at;
    size_t data_at;
};

struct whittle_value_part {
    const char *name;
    size_t at;
    uint32_t type;
};

struct whittle_value_label {
    int64_t value;
    uint32_t part;
};

struct whittle_value_name {
    int64_t value;
    const char *name;
};

/* The types of a file. */
struct whittle_values {
    const struct whittle_value_type *types;
    const struct whittle_value_part *parts;
    const struct whittle_value_label *labels;
    const struct whittle_value_name *names;
    uint8_t unit;       /* texts and bytes take a multiple of this in the encoding */
    uint8_t ending;     /* and texts so many bytes more */
    uint8_t counts_at;  /* counts, of four bytes, begin at a multiple of this */
};

WHITTLE_SHARED int64_t whittle_value_number(const struct whittle_value_type *type, const char *at)
{
    const bool is_signed = type->kind != WHITTLE_VALUE_UNSIGNED && type->kind != WHITTLE_VALUE_BOOLEAN;
    uint8_t one;
    uint16_t two;
    uint32_t four;
    int64_t eight = 0;
    switch (type->size) {
    case 1:
        memcpy(&one, at, 1);
        return is_signed ? (int8_t)one : one;
    case 2:
        memcpy(&two, at, 2);
        return is_signed ? (int16_t)two : two;
    case 4:
        memcpy(&four, at, 4);
        return is_signed ? (int32_t)four : (int64_t)four;
    default:
        memcpy(&eight, at, sizeof eight);
        return eight;
    }
}

WHITTLE_SHARED const char *whittle_value_pointer(const char *at)
{
    const char *pointer;
    memcpy(&pointer, at, sizeof pointer);
    return pointer;
}

WHITTLE_SHARED bool whittle_value_is_inline(const struct whittle_value_type *type)
{
    return type->kind == WHITTLE_VALUE_INLINE_ARRAY || type->kind == WHITTLE_VALUE_INLINE_BYTES;
}

/* The items of a value that has any number of them: how many, and where; false where there cannot be so many. */
WHITTLE_SHARED bool whittle_value_items(const struct whittle_value_type *type, const char *value, const char *around,
                                        uint32_t *count, const char **items)
{
    *count = type->most;
    *items = value;
    if (type->kind == WHITTLE_VALUE_ARRAY || type->kind == WHITTLE_VALUE_BYTES)
        return true;
    if (whittle_value_is_inline(type)) {
        memcpy(count, around + type->count_at, sizeof *count);
        return *count <= type->most;
    }
    memcpy(count, value + type->count_at, sizeof *count);
    *items = whittle_value_pointer(value + type->data_at);
    return *count <= type->most && (*count == 0 || *items != NULL);
}

/* The length of a text; false where there is none, or it is too long. */
WHITTLE_SHARED bool whittle_value_text(const struct whittle_value_type *type, const char *value, const char **text, size_t *length)
{
    if (type->kind == WHITTLE_VALUE_INLINE_TEXT) {
        const char *const end = (const char *)memchr(value, 0, (size_t)type->most + 1);
        *text = value;
        *length = end == NULL ? 0 : (size_t)(end - value);
        return end != NULL;
    }
    *text = whittle_value_pointer(value);
    *length = *text == NULL ? 0 : strlen(*text);
    return *text != NULL && *length <= type->most;
}

/* The part that a union's value chooses, or WHITTLE_VALUE_NO_PART, or WHITTLE_VALUE_NO_VALUE. */
WHITTLE_SHARED uint32_t whittle_value_chosen(const struct whittle_values *all, const struct whittle_value_type *type, const char *value)
{
    const struct whittle_value_part *const by = &all->parts[type->first];
    const int64_t number = whittle_value_number(&all->types[by->type], value + by->at);
    uint32_t i;
    for (i = 0; i < type->count; i++)
        if (all->labels[type->labels + i].value == number)
            return all->labels[type->labels + i].part;
    return type->otherwise;
}

/* Whether values are numbers that are alike where their bytes are. */
WHITTLE_SHARED bool whittle_value_is_plain(const struct whittle_value_type *type)
{
    return (type->kind >= WHITTLE_VALUE_SIGNED && type->kind <= WHITTLE_VALUE_FLOAT) || type->kind == WHITTLE_VALUE_ENUMERATION ||
           type->kind == WHITTLE_VALUE_RAW;
}

/*: value_size needs values */
WHITTLE_INLINE uint64_t whittle_value_aligned(uint64_t at, uint64_t to)
{
    return (at + to - 1) / to * to;
}

WHITTLE_INLINE uint64_t whittle_value_count_end(const struct whittle_values *all, uint64_t at)
{
    return whittle_value_aligned(at, all->counts_at) + 4;
}

/* Moves on by what a value's encoding takes; false where it has none. */
WHITTLE_SHARED bool whittle_value_measure(const struct whittle_values *all, uint32_t of, const char *value, const char *around,
                                          uint64_t *at)
{
    for (;;) {
        const struct whittle_value_type *const type = &all->types[of];
        const struct whittle_value_part *part = NULL;
        const char *text;
        size_t length;
        uint32_t count, i;
        switch ((enum whittle_value_kind)type->kind) {
        case WHITTLE_VALUE_NOTHING:
            return true;
        case WHITTLE_VALUE_SIGNED:
        case WHITTLE_VALUE_UNSIGNED:
        case WHITTLE_VALUE_FLOAT:
        case WHITTLE_VALUE_BOOLEAN:
        case WHITTLE_VALUE_ENUMERATION:
        case WHITTLE_VALUE_RAW:
            *at = whittle_value_aligned(*at, type->align) + type->wire;
            return true;
        case WHITTLE_VALUE_STRUCTURE:
            if (type->count == 0)
                return true;
            for (i = 0; i + 1 < type->count; i++) {
                part = &all->parts[type->first + i];
                if (!whittle_value_measure(all, part->type, value + part->at, value, at))
                    return false;
            }
            part = &all->parts[type->first + i];
            break;
        case WHITTLE_VALUE_UNION:
            part = &all->parts[type->first];
            count = whittle_value_chosen(all, type, value);
            if (count == WHITTLE_VALUE_NO_VALUE || !whittle_value_measure(all, part->type, value + part->at, value, at))
                return false;
            if (count == WHITTLE_VALUE_NO_PART)
                return true;
            part = &all->parts[count];
            break;
        case WHITTLE_VALUE_COUNTED_BYTES:
        case WHITTLE_VALUE_COUNTED_TEXT:
            *at = whittle_value_count_end(all, *at) + (type->kind == WHITTLE_VALUE_COUNTED_TEXT ? all->ending : 0u);
            /* fall through */
        case WHITTLE_VALUE_BYTES:
        case WHITTLE_VALUE_INLINE_BYTES:
            if (!whittle_value_items(type, value, around, &count, &text))
                return false;
            *at += whittle_value_aligned(count, all->unit);
            return true;
        case WHITTLE_VALUE_TEXT:
        case WHITTLE_VALUE_INLINE_TEXT:
            if (!whittle_value_text(type, value, &text, &length))
                return false;
            *at = whittle_value_count_end(all, *at) + whittle_value_aligned((uint64_t)length + all->ending, all->unit);
            return true;
        case WHITTLE_VALUE_COUNTED_ARRAY:
            *at = whittle_value_count_end(all, *at);
            /* fall through */
        case WHITTLE_VALUE_ARRAY:
        case WHITTLE_VALUE_INLINE_ARRAY: {
            const struct whittle_value_type *const item = &all->types[type->of];
            if (!whittle_value_items(type, value, around, &count, &text))
                return false;
            if (count > 0 && (whittle_value_is_plain(item) || item->kind == WHITTLE_VALUE_BOOLEAN)) {
                *at = whittle_value_aligned(*at, item->align) + (uint64_t)count * item->wire;
                return true;
            }
            for (i = 0; i < count; i++)
                if (!whittle_value_measure(all, type->of, text + (size_t)i * item->size, NULL, at))
                    return false;
            return true;
        }
        case WHITTLE_VALUE_OPTIONAL:
        case WHITTLE_VALUE_REFERENCE:
            text = whittle_value_pointer(value);
            if (type->kind == WHITTLE_VALUE_OPTIONAL)
                *at = whittle_value_count_end(all, *at);
            if (text == NULL)
                return type->kind == WHITTLE_VALUE_OPTIONAL;
            of = type->of, value = text, around = NULL;
            continue;
        }
        if (part == NULL)
            return false;
        around = value;
        of = part->type, value += part->at;
    }
}

/* How many bytes a value takes behind the first `from` of its encoding, and these. */
WHITTLE_SHARED enum whittle_codec_status whittle_value_size(const struct whittle_values *all, uint32_t of, const void *value,
                                                            uint64_t from, size_t *size)
{
    const bool is_valid = whittle_value_measure(all, of, (const char *)value, NULL, &from) && from <= SIZE_MAX;
    *size = is_valid ? (size_t)from : 0;
    return is_valid ? WHITTLE_CODEC_OK : WHITTLE_CODEC_INVALID_VALUE;
}

/*: value_equal needs values */
/* Two values of a type; numbers are equal where their bytes are. */
WHITTLE_SHARED bool whittle_value_equal(const struct whittle_values *all, uint32_t of, const char *one, const char *around_one,
                                        const char *two, const char *around_two)
{
    for (;;) {
        const struct whittle_value_type *const type = &all->types[of];
        const struct whittle_value_part *part = NULL;
        const char *first, *second;
        size_t length, other;
        uint32_t count, i;
        switch ((enum whittle_value_kind)type->kind) {
        case WHITTLE_VALUE_NOTHING:
            return true;
        case WHITTLE_VALUE_BOOLEAN:
            return (whittle_value_number(type, one) != 0) == (whittle_value_number(type, two) != 0);
        case WHITTLE_VALUE_SIGNED:
        case WHITTLE_VALUE_UNSIGNED:
        case WHITTLE_VALUE_FLOAT:
        case WHITTLE_VALUE_ENUMERATION:
        case WHITTLE_VALUE_RAW:
            return memcmp(one, two, type->size) == 0;
        case WHITTLE_VALUE_STRUCTURE:
            if (type->count == 0)
                return true;
            for (i = 0; i + 1 < type->count; i++) {
                part = &all->parts[type->first + i];
                if (!whittle_value_equal(all, part->type, one + part->at, one, two + part->at, two))
                    return false;
            }
            part = &all->parts[type->first + i];
            break;
        case WHITTLE_VALUE_UNION:
            part = &all->parts[type->first];
            if (!whittle_value_equal(all, part->type, one + part->at, one, two + part->at, two))
                return false;
            count = whittle_value_chosen(all, type, one);
            if (count >= WHITTLE_VALUE_NO_VALUE)
                return true;
            part = &all->parts[count];
            break;
        case WHITTLE_VALUE_TEXT:
        case WHITTLE_VALUE_INLINE_TEXT: {
            const bool is_text = whittle_value_text(type, one, &first, &length);
            if (whittle_value_text(type, two, &second, &other) != is_text || length != other)
                return false;
            return first == second || (first != NULL && second != NULL && memcmp(first, second, length) == 0);
        }
        case WHITTLE_VALUE_BYTES:
        case WHITTLE_VALUE_COUNTED_BYTES:
        case WHITTLE_VALUE_COUNTED_TEXT:
        case WHITTLE_VALUE_INLINE_BYTES:
        case WHITTLE_VALUE_ARRAY:
        case WHITTLE_VALUE_COUNTED_ARRAY:
        case WHITTLE_VALUE_INLINE_ARRAY: {
            const bool is_valid = whittle_value_items(type, one, around_one, &count, &first);
            const struct whittle_value_type *const item = &all->types[type->of];
            const bool is_bytes = type->kind != WHITTLE_VALUE_ARRAY && type->kind != WHITTLE_VALUE_COUNTED_ARRAY &&
                                  type->kind != WHITTLE_VALUE_INLINE_ARRAY;
            if (whittle_value_items(type, two, around_two, &i, &second) != is_valid || count != i)
                return false;
            if (!is_valid || count == 0)
                return true;
            if (is_bytes || whittle_value_is_plain(item))
                return memcmp(first, second, (size_t)count * (is_bytes ? 1 : item->size)) == 0;
            for (i = 0; i < count; i++)
                if (!whittle_value_equal(all, type->of, first + (size_t)i * item->size, NULL, second + (size_t)i * item->size, NULL))
                    return false;
            return true;
        }
        case WHITTLE_VALUE_OPTIONAL:
        case WHITTLE_VALUE_REFERENCE:
            first = whittle_value_pointer(one);
            second = whittle_value_pointer(two);
            if (first == NULL || second == NULL || first == second)
                return first == second;
            of = type->of, one = first, two = second, around_one = NULL, around_two = NULL;
            continue;
        }
        if (part == NULL)
            return false;
        around_one = one, around_two = two;
        of = part->type, one += part->at, two += part->at;
    }
}

/*: value_copy needs values system */
/* Storage for a slot, which is a pointer variable of any type. */
WHITTLE_SHARED char *whittle_value_new(char *slot, size_t count, size_t size)
{
    void *const storage = calloc(count, size + (size == 0));
    memcpy(slot, &storage, sizeof storage);
    return (char *)storage;
}

/* Copies a value into zeroed storage. What is there when it fails can be released. */
WHITTLE_SHARED enum whittle_codec_status whittle_value_duplicate(const struct whittle_values *all, uint32_t of, char *to,
                                                                 const char *from, const char *around)
{
    for (;;) {
        const struct whittle_value_type *const type = &all->types[of];
        const struct whittle_value_part *part = NULL;
        enum whittle_codec_status status;
        const char *items;
        char *copy;
        size_t length;
        uint32_t count, i;
        switch ((enum whittle_value_kind)type->kind) {
        case WHITTLE_VALUE_NOTHING:
            return WHITTLE_CODEC_OK;
        case WHITTLE_VALUE_BOOLEAN:
        case WHITTLE_VALUE_SIGNED:
        case WHITTLE_VALUE_UNSIGNED:
        case WHITTLE_VALUE_FLOAT:
        case WHITTLE_VALUE_ENUMERATION:
        case WHITTLE_VALUE_RAW:
            memcpy(to, from, type->size);
            return WHITTLE_CODEC_OK;
        case WHITTLE_VALUE_STRUCTURE:
            if (type->count == 0)
                return WHITTLE_CODEC_OK;
            for (i = 0; i + 1 < type->count; i++) {
                part = &all->parts[type->first + i];
                status = whittle_value_duplicate(all, part->type, to + part->at, from + part->at, from);
                if (status != WHITTLE_CODEC_OK)
                    return status;
            }
            part = &all->parts[type->first + i];
            break;
        case WHITTLE_VALUE_UNION:
            part = &all->parts[type->first];
            count = whittle_value_chosen(all, type, from);
            if (count == WHITTLE_VALUE_NO_VALUE)
                return WHITTLE_CODEC_INVALID_VALUE;
            memcpy(to + part->at, from + part->at, all->types[part->type].size);
            if (count == WHITTLE_VALUE_NO_PART)
                return WHITTLE_CODEC_OK;
            part = &all->parts[count];
            break;
        case WHITTLE_VALUE_TEXT:
        case WHITTLE_VALUE_INLINE_TEXT:
            if (!whittle_value_text(type, from, &items, &length))
                return WHITTLE_CODEC_INVALID_VALUE;
            copy = type->kind == WHITTLE_VALUE_INLINE_TEXT ? to : whittle_value_new(to, length + 1, 1);
            if (copy == NULL)
                return WHITTLE_CODEC_NO_MEMORY;
            memcpy(copy, items, length + 1);
            return WHITTLE_CODEC_OK;
        case WHITTLE_VALUE_BYTES:
        case WHITTLE_VALUE_INLINE_BYTES:
        case WHITTLE_VALUE_COUNTED_BYTES:
        case WHITTLE_VALUE_COUNTED_TEXT:
        case WHITTLE_VALUE_ARRAY:
        case WHITTLE_VALUE_INLINE_ARRAY:
        case WHITTLE_VALUE_COUNTED_ARRAY: {
            const bool is_array = type->kind == WHITTLE_VALUE_ARRAY || type->kind == WHITTLE_VALUE_INLINE_ARRAY ||
                                  type->kind == WHITTLE_VALUE_COUNTED_ARRAY;
            const struct whittle_value_type *const item = &all->types[type->of];
            const size_t each = is_array ? item->size : 1;
            copy = to;
            if (!whittle_value_items(type, from, around, &count, &items))
                return WHITTLE_CODEC_INVALID_VALUE;
            if (count == 0)
                return WHITTLE_CODEC_OK;
            if (type->kind == WHITTLE_VALUE_COUNTED_BYTES || type->kind == WHITTLE_VALUE_COUNTED_TEXT ||
                type->kind == WHITTLE_VALUE_COUNTED_ARRAY) {
                copy = whittle_value_new(to + type->data_at, count, each);
                if (copy == NULL)
                    return WHITTLE_CODEC_NO_MEMORY;
                memcpy(to + type->count_at, &count, sizeof count);
                if (type->count == 1) {
                    memcpy(to + type->count_at - sizeof count, &count, sizeof count);
                    to[type->data_at + sizeof(char *)] = 1;
                }
            }
            if (!is_array || whittle_value_is_plain(item)) {
                memcpy(copy, items, (size_t)count * each);
                return WHITTLE_CODEC_OK;
            }
            for (i = 0; i < count; i++) {
                status = whittle_value_duplicate(all, type->of, copy + (size_t)i * each, items + (size_t)i * each, NULL);
                if (status != WHITTLE_CODEC_OK)
                    return status;
            }
            return WHITTLE_CODEC_OK;
        }
        case WHITTLE_VALUE_OPTIONAL:
        case WHITTLE_VALUE_REFERENCE:
            items = whittle_value_pointer(from);
            if (items == NULL)
                return type->kind == WHITTLE_VALUE_OPTIONAL ? WHITTLE_CODEC_OK : WHITTLE_CODEC_INVALID_VALUE;
            copy = whittle_value_new(to, 1, all->types[type->of].size);
            if (copy == NULL)
                return WHITTLE_CODEC_NO_MEMORY;
            of = type->of, to = copy, from = items, around = NULL;
            continue;
        }
        if (part == NULL)
            return WHITTLE_CODEC_INVALID_VALUE;
        around = from;
        of = part->type, to += part->at, from += part->at;
    }
}

/* On failure `to` is empty. */
WHITTLE_SHARED enum whittle_codec_status whittle_value_copy(const struct whittle_values *all, uint32_t of, void *to, const void *from,
                                                            void (*release)(void *))
{
    const size_t size = all->types[of].size;
    enum whittle_codec_status status;
    memset(to, 0, size);
    status = whittle_value_duplicate(all, of, (char *)to, (const char *)from, NULL);
    if (status != WHITTLE_CODEC_OK) {
        if (release != NULL)
            release(to);
        memset(to, 0, size);
    }
    return status;
}

/*: value_print needs values */
/* Where text goes: a file, or a buffer as far as there is room. */
struct whittle_value_text {
    FILE *file;
    char *buffer;
    size_t room;
    size_t length;      /* of all that was said */
    bool has_failed;
};

WHITTLE_SHARED void whittle_value_say(struct whittle_value_text *out, const char *text, size_t n)
{
    if (out->file != NULL)
        out->has_failed |= fwrite(text, 1, n, out->file) != n;
    else if (out->length < out->room)
        memcpy(out->buffer + out->length, text, n < out->room - out->length ? n : out->room - out->length);
    out->length += n;
}

WHITTLE_SHARED void whittle_value_say_text(struct whittle_value_text *out, const char *text, size_t n)
{
    char escaped[8];
    size_t i;
    whittle_value_say(out, "\"", 1);
    for (i = 0; i < n; i++) {
        const unsigned byte = (unsigned char)text[i];
        if (byte == '"' || byte == '\\')
            whittle_value_say(out, "\\", 1);
        if (byte >= 0x20 && byte < 0x7f)
            whittle_value_say(out, text + i, 1);
        else
            whittle_value_say(out, escaped, (size_t)snprintf(escaped, sizeof escaped, "\\u%04x", byte));
    }
    whittle_value_say(out, "\"", 1);
}

WHITTLE_SHARED void whittle_value_say_bytes(struct whittle_value_text *out, const char *bytes, size_t n)
{
    static const char digits[] = "0123456789abcdef";
    size_t i;
    whittle_value_say(out, "\"", 1);
    for (i = 0; i < n; i++) {
        whittle_value_say(out, &digits[(unsigned char)bytes[i] >> 4], 1);
        whittle_value_say(out, &digits[bytes[i] & 15], 1);
    }
    whittle_value_say(out, "\"", 1);
}

WHITTLE_SHARED void whittle_value_say_name(struct whittle_value_text *out, const char *name)
{
    whittle_value_say(out, "\"", 1);
    whittle_value_say(out, name, strlen(name));
    whittle_value_say(out, "\": ", 3);
}

/* With a point, whatever the language of the program; what is no number is a text. */
WHITTLE_SHARED void whittle_value_say_float(struct whittle_value_text *out, const struct whittle_value_type *type, const char *at)
{
    char text[40];
    float single = 0;
    double number = 0;
    size_t i, n;
    if (type->size == sizeof single) {
        memcpy(&single, at, sizeof single);
        number = (double)single;
    } else {
        memcpy(&number, at, sizeof number);
    }
    if (number - number != 0) {
        const char *const word = number > 0 ? "\"inf\"" : number < 0 ? "\"-inf\"" : "\"nan\"";
        whittle_value_say(out, word, strlen(word));
        return;
    }
    n = (size_t)snprintf(text, sizeof text, type->size == sizeof single ? "%.9g" : "%.17g", number);
    for (i = 0; i < n; i++)
        if (strchr("+-0123456789e", text[i]) == NULL)
            text[i] = '.';
    whittle_value_say(out, text, n);
}

WHITTLE_SHARED void whittle_value_say_number(struct whittle_value_text *out, const struct whittle_values *all,
                                             const struct whittle_value_type *type, const char *at)
{
    const int64_t number = whittle_value_number(type, at);
    char text[24];
    uint32_t i;
    for (i = 0; type->kind == WHITTLE_VALUE_ENUMERATION && i < type->count; i++)
        if (all->names[type->first + i].value == number) {
            const char *const name = all->names[type->first + i].name;
            whittle_value_say_text(out, name, strlen(name));
            return;
        }
    if (type->kind == WHITTLE_VALUE_BOOLEAN)
        whittle_value_say(out, number != 0 ? "true" : "false", number != 0 ? 4 : 5);
    else if (type->kind == WHITTLE_VALUE_UNSIGNED)
        whittle_value_say(out, text, (size_t)snprintf(text, sizeof text, "%llu", (unsigned long long)number));
    else
        whittle_value_say(out, text, (size_t)snprintf(text, sizeof text, "%lld", (long long)number));
}

/* A value as JSON on one line; what it cannot be is null. */
WHITTLE_SHARED void whittle_value_tell(struct whittle_value_text *out, const struct whittle_values *all, uint32_t of, const char *value,
                                       const char *around)
{
    size_t open = 0;    /* braces that end behind this value */
    bool goes_on = true;
    while (goes_on) {
        const struct whittle_value_type *const type = &all->types[of];
        const struct whittle_value_part *part = NULL;
        const char *text;
        size_t length;
        uint32_t count, i;
        goes_on = false;
        switch ((enum whittle_value_kind)type->kind) {
        case WHITTLE_VALUE_NOTHING:
            whittle_value_say(out, "null", 4);
            break;
        case WHITTLE_VALUE_BOOLEAN:
        case WHITTLE_VALUE_SIGNED:
        case WHITTLE_VALUE_UNSIGNED:
        case WHITTLE_VALUE_ENUMERATION:
            whittle_value_say_number(out, all, type, value);
            break;
        case WHITTLE_VALUE_FLOAT:
            whittle_value_say_float(out, type, value);
            break;
        case WHITTLE_VALUE_RAW:
            whittle_value_say_bytes(out, value, type->size);
            break;
        case WHITTLE_VALUE_STRUCTURE:
            whittle_value_say(out, "{", 1);
            open++;
            for (i = 0; i + 1 < type->count; i++) {
                part = &all->parts[type->first + i];
                whittle_value_say_name(out, part->name);
                whittle_value_tell(out, all, part->type, value + part->at, value);
                whittle_value_say(out, ", ", 2);
            }
            part = type->count == 0 ? NULL : &all->parts[type->first + i];
            break;
        case WHITTLE_VALUE_UNION:
            part = &all->parts[type->first];
            count = whittle_value_chosen(all, type, value);
            whittle_value_say(out, "{", 1);
            open++;
            whittle_value_say_name(out, part->name);
            whittle_value_tell(out, all, part->type, value + part->at, value);
            part = count >= WHITTLE_VALUE_NO_VALUE ? NULL : &all->parts[count];
            if (part != NULL)
                whittle_value_say(out, ", ", 2);
            break;
        case WHITTLE_VALUE_TEXT:
        case WHITTLE_VALUE_INLINE_TEXT:
            if (whittle_value_text(type, value, &text, &length))
                whittle_value_say_text(out, text, length);
            else
                whittle_value_say(out, "null", 4);
            break;
        case WHITTLE_VALUE_BYTES:
        case WHITTLE_VALUE_INLINE_BYTES:
        case WHITTLE_VALUE_COUNTED_BYTES:
        case WHITTLE_VALUE_COUNTED_TEXT:
            if (!whittle_value_items(type, value, around, &count, &text))
                whittle_value_say(out, "null", 4);
            else if (type->kind == WHITTLE_VALUE_COUNTED_TEXT)
                whittle_value_say_text(out, text, count);
            else
                whittle_value_say_bytes(out, text, count);
            break;
        case WHITTLE_VALUE_ARRAY:
        case WHITTLE_VALUE_INLINE_ARRAY:
        case WHITTLE_VALUE_COUNTED_ARRAY:
            if (!whittle_value_items(type, value, around, &count, &text)) {
                whittle_value_say(out, "null", 4);
                break;
            }
            whittle_value_say(out, "[", 1);
            for (i = 0; i < count; i++) {
                whittle_value_say(out, ", ", i == 0 ? 0 : 2);
                whittle_value_tell(out, all, type->of, text + (size_t)i * all->types[type->of].size, NULL);
            }
            whittle_value_say(out, "]", 1);
            break;
        case WHITTLE_VALUE_OPTIONAL:
        case WHITTLE_VALUE_REFERENCE:
            text = whittle_value_pointer(value);
            if (text == NULL) {
                whittle_value_say(out, "null", 4);
                break;
            }
            of = type->of, value = text, around = NULL, goes_on = true;
            break;
        }
        if (part != NULL) {
            whittle_value_say_name(out, part->name);
            around = value;
            of = part->type, value += part->at, goes_on = true;
        }
    }
    for (; open > 0; open--)
        whittle_value_say(out, "}", 1);
}

/* As snprintf: the length of the whole text; as much of it as there is room for, and a NUL. */
WHITTLE_SHARED size_t whittle_value_format(const struct whittle_values *all, uint32_t of, const void *value, char *buffer, size_t room)
{
    struct whittle_value_text out = {NULL, buffer, buffer == NULL || room == 0 ? 0 : room - 1, 0, false};
    whittle_value_tell(&out, all, of, (const char *)value, NULL);
    if (buffer != NULL && room != 0)
        buffer[out.length < out.room ? out.length : out.room] = 0;
    return out.length;
}

WHITTLE_SHARED bool whittle_value_print(const struct whittle_values *all, uint32_t of, const void *value, FILE *file)
{
    struct whittle_value_text out = {file, NULL, 0, 0, false};
    whittle_value_tell(&out, all, of, (const char *)value, NULL);
    return !out.has_failed;
}

/*: end_of_values */
#endif
