/* SPDX-License-Identifier: MIT-0 */
/*
 * Whether two values of one type are equal. Numbers of floating point are compared as numbers, references by
 * equivalence.
 */
#include "fixed.h"
#include "operations.h"
#include "value.h"
#include <wchar.h>

static bool whittle_equal_items(CORBA_TypeCode element, const void *one, const void *other, uint32_t count)
{
    bool is_equal = true;
    for (uint32_t index = 0; index < count && is_equal; index++)
        is_equal = whittle_equal_values(element, whittle_element_of(element, one, index),
                                        whittle_element_of(element, other, index));
    return is_equal;
}

static bool whittle_equal_sequences(CORBA_TypeCode type, const void *one, const void *other)
{
    const struct whittle_sequence *const first = (const struct whittle_sequence *)one;
    const struct whittle_sequence *const second = (const struct whittle_sequence *)other;
    return first->_length == second->_length &&
           whittle_equal_items(type->content, first->_buffer, second->_buffer, first->_length);
}

static bool whittle_equal_members(CORBA_TypeCode type, const char *one, const char *other)
{
    if (type->kind != CORBA_tk_union) {
        for (uint32_t index = 0; index < type->count; index++) {
            const struct whittle_member *const member = &type->members[index];
            if (!whittle_equal_values(member->type, one + member->offset, other + member->offset))
                return false;
        }
        return true;
    }
    const struct whittle_member *const chosen = whittle_chosen(type, one);
    return whittle_equal_values(type->content, one, other) &&
           (chosen == NULL || whittle_equal_values(chosen->type, one + chosen->offset, other + chosen->offset));
}

static bool whittle_equal_texts(const CORBA_char *one, const CORBA_char *other)
{
    return one == other || (one != NULL && other != NULL && strcmp(one, other) == 0);
}

static bool whittle_equal_wide(const CORBA_wchar *one, const CORBA_wchar *other)
{
    return one == other || (one != NULL && other != NULL && wcscmp(one, other) == 0);
}

static bool whittle_equal_objects(CORBA_Object one, CORBA_Object other)
{
    CORBA_Environment ev;
    if (one == other || one == CORBA_OBJECT_NIL || other == CORBA_OBJECT_NIL)
        return one == other;
    CORBA_exception_init(&ev);
    const bool is_equal = CORBA_Object_is_equivalent(one, other, &ev) && ev._major == CORBA_NO_EXCEPTION;
    CORBA_exception_free(&ev);
    return is_equal;
}

static bool whittle_equal_types(CORBA_TypeCode one, CORBA_TypeCode other)
{
    CORBA_Environment ev;
    if (one == other || one == NULL || other == NULL)
        return one == other;
    CORBA_exception_init(&ev);
    const bool is_equal = CORBA_TypeCode_equal(one, other, &ev);
    CORBA_exception_free(&ev);
    return is_equal;
}

#define WHITTLE_EQUAL_NUMBERS(type) (*(const type *)one == *(const type *)other)

bool whittle_equal_values(CORBA_TypeCode type, const void *one, const void *other)
{
    switch (type->kind) {
    case CORBA_tk_alias:
        return whittle_equal_values(type->content, one, other);
    case CORBA_tk_struct: case CORBA_tk_except: case CORBA_tk_union:
        return whittle_equal_members(type, (const char *)one, (const char *)other);
    case CORBA_tk_array:
        return whittle_equal_items(type->content, one, other, type->count);
    case CORBA_tk_sequence:
        return whittle_equal_sequences(type, one, other);
    case CORBA_tk_string:
        return whittle_equal_texts(*(CORBA_char *const *)one, *(CORBA_char *const *)other);
    case CORBA_tk_wstring:
        return whittle_equal_wide(*(CORBA_wchar *const *)one, *(CORBA_wchar *const *)other);
    case CORBA_tk_float:
        return WHITTLE_EQUAL_NUMBERS(CORBA_float);
    case CORBA_tk_double:
        return WHITTLE_EQUAL_NUMBERS(CORBA_double);
    case CORBA_tk_longdouble:
        return WHITTLE_EQUAL_NUMBERS(CORBA_long_double);
    case CORBA_tk_fixed:
        return whittle_fixed_equal(one, other);
    case CORBA_tk_any:
        return CORBA_any_equal((const CORBA_any *)one, (const CORBA_any *)other);
    case CORBA_tk_TypeCode:
        return whittle_equal_types(*(const CORBA_TypeCode *)one, *(const CORBA_TypeCode *)other);
    case CORBA_tk_objref: case CORBA_tk_component: case CORBA_tk_home:
        return whittle_equal_objects(*(const CORBA_Object *)one, *(const CORBA_Object *)other);
    default:
        return type->size > 0 && memcmp(one, other, type->size) == 0;
    }
}

CORBA_boolean CORBA_any_equal(const CORBA_any *one, const CORBA_any *other)
{
    if (!whittle_equal_types(one->_type, other->_type))
        return CORBA_FALSE;
    if (one->_value == NULL || other->_value == NULL)
        return one->_value == other->_value;
    return whittle_equal_values(one->_type, one->_value, other->_value);
}
