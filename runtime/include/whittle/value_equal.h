/* SPDX-License-Identifier: MIT-0 */
/* Whether two values of a type are equal, by its table: values.h. */
#ifndef WHITTLE_VALUE_EQUAL_H
#define WHITTLE_VALUE_EQUAL_H
#include <whittle/values.h>

/*: value_equal needs values */
/* Two values of a type; numbers are equal where their bytes are, and what leads back to itself, or too deep, equals nothing. */
WHITTLE_SHARED bool whittle_value_alike(const struct whittle_values *all, uint32_t of, const char *one, const char *around_one,
                                        const char *two, const char *around_two, unsigned depth)
{
    struct whittle_value_trail trail = {depth, 0, NULL, 0};
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
                if (!whittle_value_alike(all, part->type, one + part->at, one, two + part->at, two, trail.depth))
                    return false;
            }
            part = &all->parts[type->first + i];
            break;
        case WHITTLE_VALUE_UNION:
            part = &all->parts[type->first];
            if (!whittle_value_alike(all, part->type, one + part->at, one, two + part->at, two, trail.depth))
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
            if (whittle_value_is_rest(type))
                goto follow;
            if (type->kind == WHITTLE_VALUE_COUNTED_ARRAY && trail.depth >= WHITTLE_VALUE_DEPTH)
                return false;
            for (i = 0; i < count; i++)
                if (!whittle_value_alike(all, type->of, first + (size_t)i * item->size, NULL, second + (size_t)i * item->size, NULL,
                                         trail.depth + 1))
                    return false;
            return true;
        }
        case WHITTLE_VALUE_OPTIONAL:
        case WHITTLE_VALUE_REFERENCE:
            first = whittle_value_pointer(one);
            second = whittle_value_pointer(two);
        follow:
            if (first == NULL || second == NULL || first == second)
                return first == second;
            if (!whittle_value_follow(&trail, first, type->of))
                return false;
            of = type->of, one = first, two = second, around_one = NULL, around_two = NULL;
            continue;
        }
        if (part == NULL)
            return false;
        around_one = one, around_two = two;
        of = part->type, one += part->at, two += part->at;
    }
}

WHITTLE_SHARED bool whittle_value_equal(const struct whittle_values *all, uint32_t of, const char *one, const char *around_one,
                                        const char *two, const char *around_two)
{
    return whittle_value_alike(all, of, one, around_one, two, around_two, 0);
}

/*: end_of_value_equal */
#endif
