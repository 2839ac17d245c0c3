/* SPDX-License-Identifier: MIT-0 */
/*
 * How C lays out a type that this program has only from a message: as the mapping's declaration of it would be, so that
 * a program that does know the type can use the value. Source: formal/99-07-35, the mappings for each type. A type
 * whose values cannot be in memory (value types, natives, more than WHITTLE_LARGEST bytes) gets the size 0.
 */
#include "constants.h"
#include "graph.h"
#include "sequences.h"

#define WHITTLE_LARGEST ((size_t)1 << 30)

void whittle_release_by_type(void *value)
{
    (void)value;
}

static size_t whittle_round_up(size_t size, size_t alignment)
{
    return (size + alignment - 1) / alignment * alignment;
}

static bool whittle_as(struct CORBA_TypeCode_struct *type, size_t size, size_t alignment, void (*release)(void *))
{
    type->size = size > WHITTLE_LARGEST ? 0 : size;
    type->alignment = alignment;
    type->release = release;
    return true;
}

/* One behind the other; or, of a union, all behind the discriminator. */
static bool whittle_lay_members(struct CORBA_TypeCode_struct *type, struct whittle_member *members)
{
    const bool is_union = type->kind == CORBA_tk_union;
    size_t end = 0, alignment = 1, body = 1, largest = 0;
    bool holds = false, whole = true;
    for (uint32_t index = 0; index < type->count; index++) {
        CORBA_TypeCode const part = members[index].type;
        if (part->alignment == 0)
            return false;
        holds |= part->release != NULL;
        whole &= part->size > 0 && end <= WHITTLE_LARGEST;
        alignment = part->alignment > alignment ? part->alignment : alignment;
        largest = part->size > largest ? part->size : largest;
        if (!is_union && whole) {
            members[index].offset = whittle_round_up(end, part->alignment);
            end = members[index].offset + part->size;
        }
    }
    if (is_union) {
        body = alignment;
        alignment = type->content->alignment > body ? type->content->alignment : body;
        for (uint32_t index = 0; index < type->count; index++)
            members[index].offset = whittle_round_up(type->content->size, body);
        end = whittle_round_up(type->content->size, body) + largest;
    }
    end = whittle_round_up(end == 0 ? 1 : end, alignment);
    return whittle_as(type, whole ? end : 0, alignment, holds ? whittle_release_by_type : NULL);
}

static bool whittle_lay_array(struct CORBA_TypeCode_struct *type)
{
    CORBA_TypeCode const element = type->content;
    if (element->alignment == 0)
        return false;
    const bool fits = element->size > 0 && type->count > 0 && type->count <= WHITTLE_LARGEST / element->size;
    /* Not the element's own way, which would release the first one only. */
    return whittle_as(type, fits ? type->count * element->size : 0, element->alignment,
                      element->release == NULL ? NULL : whittle_release_by_type);
}

static bool whittle_lay_alias(struct CORBA_TypeCode_struct *type)
{
    CORBA_TypeCode const named = type->content;
    return named->alignment != 0 && whittle_as(type, named->size, named->alignment, named->release);
}

/* Digits and scale, then two digits to an octet, the sign behind them. */
static size_t whittle_fixed_size(const struct CORBA_TypeCode_struct *type)
{
    const bool is_valid = type->count > 0 && type->count <= WHITTLE_DIGITS && type->scale >= 0 &&
                          (uint32_t)type->scale <= type->count;
    return is_valid ? whittle_round_up(2 * sizeof(CORBA_short) + type->count / 2 + 1, WHITTLE_ALIGNMENT(CORBA_short)) : 0;
}

bool whittle_layout(struct CORBA_TypeCode_struct *type, struct whittle_member *members)
{
    switch (type->kind) {
    case CORBA_tk_struct: case CORBA_tk_except: case CORBA_tk_union:
        return whittle_lay_members(type, members);
    case CORBA_tk_array:
        return whittle_lay_array(type);
    case CORBA_tk_alias:
        return whittle_lay_alias(type);
    case CORBA_tk_sequence:
        return whittle_as(type, sizeof(struct whittle_sequence), WHITTLE_ALIGNMENT(struct whittle_sequence),
                          whittle_release_by_type);
    case CORBA_tk_enum:
        return whittle_as(type, sizeof(CORBA_enum), WHITTLE_ALIGNMENT(CORBA_enum), NULL);
    case CORBA_tk_string:
        return whittle_as(type, sizeof(CORBA_string), WHITTLE_ALIGNMENT(CORBA_string), whittle_release_string);
    case CORBA_tk_wstring:
        return whittle_as(type, sizeof(CORBA_wstring), WHITTLE_ALIGNMENT(CORBA_wstring), whittle_release_wstring);
    case CORBA_tk_objref: case CORBA_tk_component: case CORBA_tk_home:
        return whittle_as(type, sizeof(CORBA_Object), WHITTLE_ALIGNMENT(CORBA_Object), whittle_release_object);
    case CORBA_tk_fixed:
        return whittle_as(type, whittle_fixed_size(type), WHITTLE_ALIGNMENT(CORBA_short), NULL);
    default:
        return whittle_as(type, 0, 1, NULL);
    }
}

CORBA_TypeCode whittle_unaliased(CORBA_TypeCode type)
{
    while (type->kind == CORBA_tk_alias)
        type = type->content;
    return type;
}
