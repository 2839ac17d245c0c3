/* SPDX-License-Identifier: MIT-0 */
/* Copies of a value, by its table: values.h. */
#ifndef WHITTLE_VALUE_COPY_H
#define WHITTLE_VALUE_COPY_H
#include <whittle/values.h>

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
                                                                 const char *from, const char *around, unsigned depth)
{
    struct whittle_value_trail trail = {depth, 0, NULL, 0};
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
                status = whittle_value_duplicate(all, part->type, to + part->at, from + part->at, from, trail.depth);
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
            if (whittle_value_is_rest(type))
                goto follow;
            if (type->kind == WHITTLE_VALUE_COUNTED_ARRAY && trail.depth >= WHITTLE_VALUE_DEPTH)
                return WHITTLE_CODEC_TOO_DEEP;
            for (i = 0; i < count; i++) {
                status = whittle_value_duplicate(all, type->of, copy + (size_t)i * each, items + (size_t)i * each, NULL, trail.depth + 1);
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
        follow:
            if (!whittle_value_follow(&trail, items, type->of))
                return WHITTLE_CODEC_TOO_DEEP;
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
    status = whittle_value_duplicate(all, of, (char *)to, (const char *)from, NULL, 0);
    if (status != WHITTLE_CODEC_OK) {
        if (release != NULL)
            release(to);
        memset(to, 0, size);
    }
    return status;
}

/*: end_of_value_copy */
#endif
