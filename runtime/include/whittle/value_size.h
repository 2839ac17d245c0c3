/* SPDX-License-Identifier: MIT-0 */
/* How many bytes the encoding of a value takes, by its table: values.h. */
#ifndef WHITTLE_VALUE_SIZE_H
#define WHITTLE_VALUE_SIZE_H
#include <whittle/values.h>

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
            *at += type->count;
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

/*: end_of_value_size */
#endif
