/* SPDX-License-Identifier: MIT-0 */
/*
 * Values by tables that describe their types: the tables, and what is read of a value by them. How many bytes its encoding takes
 * (value_size.h), whether two are equal, copies, text are headers of their own. What comes last in a value, the rest of a list, is looked
 * at by a loop, so that lists of any length need one frame. What a value's pointers lead to is the caller's word; its counts are held
 * against their bounds; where they lead back, or deeper than anything is decoded, the walk ends.
 */
#ifndef WHITTLE_VALUES_H
#define WHITTLE_VALUES_H
#include <stdio.h>
#include <whittle/words.h>
#include "../../codec/codec.h"

/*: values needs bool attributes */
enum whittle_value_kind {
    WHITTLE_VALUE_NOTHING,
    WHITTLE_VALUE_SIGNED,           /* `count`: its form, where an encoding has several (protobuf.h) */
    WHITTLE_VALUE_UNSIGNED,         /* likewise */
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
    WHITTLE_VALUE_OPTIONAL,         /* `count`: bytes of the encoding between the word that says so and what is pointed to; */
                                    /* `labels` 1: that stands in chunks, as what is in them does */
    WHITTLE_VALUE_REFERENCE
};

#define WHITTLE_VALUE_NO_PART 0xffffffffu       /* nothing is chosen */
#define WHITTLE_VALUE_NO_VALUE 0xfffffffeu      /* there is no such value */

struct whittle_value_type {
    uint8_t kind;
    uint8_t wire;       /* bytes of a number in the encoding; of an inline array's count, in C */
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

/* Walks are that deep at most, in frames. A level of a recursive type may take some. */
#ifndef WHITTLE_MAX_DEPTH
#define WHITTLE_MAX_DEPTH 1000
#endif
#define WHITTLE_VALUE_DEPTH (4u * WHITTLE_MAX_DEPTH)

/* What one frame of a walk has followed: a list, whatever its length, is one level. */
struct whittle_value_trail {
    unsigned depth;
    size_t steps;
    const char *seen;   /* where it was when its steps were a power of two: who comes there again goes round (Brent, BIT 20, 1980) */
    uint32_t of;
};

/* Follows a pointer; false: it leads back, or too deep. */
WHITTLE_SHARED bool whittle_value_follow(struct whittle_value_trail *trail, const char *to, uint32_t of)
{
    if (trail->steps == 0 ? ++trail->depth > WHITTLE_VALUE_DEPTH : to == trail->seen && of == trail->of)
        return false;
    if ((trail->steps & (trail->steps - 1)) == 0)
        trail->seen = to, trail->of = of;
    trail->steps++;
    return true;
}

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

/* The count of an inline array, in the structure around it. */
WHITTLE_SHARED uint32_t whittle_value_count(const struct whittle_value_type *type, const char *around)
{
    uint8_t one;
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (type->wire) {
    case 1:
        memcpy(&one, around + type->count_at, 1);
        return one;
    case 2:
        memcpy(&two, around + type->count_at, 2);
        return two;
    case 8:
        memcpy(&eight, around + type->count_at, 8);
        return eight > UINT32_MAX ? UINT32_MAX : (uint32_t)eight;
    default:
        memcpy(&four, around + type->count_at, 4);
        return four;
    }
}

WHITTLE_SHARED void whittle_value_set_count(const struct whittle_value_type *type, char *around, uint32_t count)
{
    const uint8_t one = (uint8_t)count;
    const uint16_t two = (uint16_t)count;
    const uint64_t eight = count;
    switch (type->wire) {
    case 1:
        memcpy(around + type->count_at, &one, 1);
        break;
    case 2:
        memcpy(around + type->count_at, &two, 2);
        break;
    case 8:
        memcpy(around + type->count_at, &eight, 8);
        break;
    default:
        memcpy(around + type->count_at, &count, 4);
        break;
    }
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
        *count = whittle_value_count(type, around);
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

/* One item at most, like what a pointer leads to: the rest of a list. CORBA's sequences are released item by item. */
WHITTLE_SHARED bool whittle_value_is_rest(const struct whittle_value_type *type)
{
    return type->kind == WHITTLE_VALUE_COUNTED_ARRAY && type->most == 1 && type->count == 0;
}

/* Whether values are numbers that are alike where their bytes are. */
WHITTLE_SHARED bool whittle_value_is_plain(const struct whittle_value_type *type)
{
    return (type->kind >= WHITTLE_VALUE_SIGNED && type->kind <= WHITTLE_VALUE_FLOAT) || type->kind == WHITTLE_VALUE_ENUMERATION ||
           type->kind == WHITTLE_VALUE_RAW;
}

/*: end_of_values */
#endif
