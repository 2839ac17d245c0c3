/* SPDX-License-Identifier: MIT-0 */
/* Deep copies by TypeCode. In: a type and a value. Out: another value that owns all it has. */
#include "value.h"

static bool whittle_copy_items(CORBA_TypeCode element, void *to, const void *from, uint32_t count)
{
    if (whittle_word_size(whittle_unaliased(element)->kind) > 0) {
        if (count > 0)
            memcpy(to, from, element->size * count);
        return true;
    }
    for (uint32_t index = 0; index < count; index++)
        if (!whittle_copy_value(element, whittle_element(element, to, index), whittle_element_of(element, from, index)))
            return false;
    return true;
}

static bool whittle_copy_sequence(CORBA_TypeCode type, void *to, const void *from)
{
    const struct whittle_sequence *const old = (const struct whittle_sequence *)from;
    struct whittle_sequence *const copy = (struct whittle_sequence *)to;
    copy->_release = CORBA_TRUE;
    if (old->_length == 0)
        return true;
    if (old->_buffer == NULL || type->content->size == 0)
        return false;
    copy->_buffer = whittle_typed_new(type->content, old->_length);
    if (copy->_buffer == NULL)
        return false;
    copy->_maximum = copy->_length = old->_length;
    return whittle_copy_items(type->content, copy->_buffer, old->_buffer, old->_length);
}

static bool whittle_copy_members(CORBA_TypeCode type, char *to, const char *from)
{
    if (type->kind != CORBA_tk_union) {
        for (uint32_t index = 0; index < type->count; index++) {
            const struct whittle_member *const member = &type->members[index];
            if (!whittle_copy_value(member->type, to + member->offset, from + member->offset))
                return false;
        }
        return true;
    }
    const struct whittle_member *const chosen = whittle_chosen(type, from);
    return whittle_copy_value(type->content, to, from) &&
           (chosen == NULL || whittle_copy_value(chosen->type, to + chosen->offset, from + chosen->offset));
}

static bool whittle_copy_any(CORBA_any *to, const CORBA_any *from)
{
    CORBA_TypeCode const type = from->_type == NULL ? TC_CORBA_null : from->_type;
    *to = (CORBA_any){whittle_typecode_duplicate(type), NULL, CORBA_TRUE};
    if (from->_value == NULL || type->size == 0)
        return from->_value == NULL;
    to->_value = whittle_typed_new(type, 1);
    return to->_value != NULL && whittle_copy_value(type, to->_value, from->_value);
}

static bool whittle_copy_object(CORBA_Object *to, CORBA_Object from)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    *to = from == CORBA_OBJECT_NIL ? from : CORBA_Object_duplicate(from, &ev);
    const bool is_copied = ev._major == CORBA_NO_EXCEPTION;
    CORBA_exception_free(&ev);
    return is_copied;
}

bool whittle_copy_value(CORBA_TypeCode type, void *to, const void *from)
{
    switch (type->kind) {
    case CORBA_tk_alias:
        return whittle_copy_value(type->content, to, from);
    case CORBA_tk_struct: case CORBA_tk_except: case CORBA_tk_union:
        return whittle_copy_members(type, (char *)to, (const char *)from);
    case CORBA_tk_array:
        return whittle_copy_items(type->content, to, from, type->count);
    case CORBA_tk_sequence:
        return whittle_copy_sequence(type, to, from);
    case CORBA_tk_string:
        *(CORBA_char **)to = CORBA_string_dup(*(CORBA_char *const *)from);
        return *(CORBA_char **)to != NULL || *(CORBA_char *const *)from == NULL;
    case CORBA_tk_wstring:
        *(CORBA_wchar **)to = CORBA_wstring_dup(*(CORBA_wchar *const *)from);
        return *(CORBA_wchar **)to != NULL || *(CORBA_wchar *const *)from == NULL;
    case CORBA_tk_any:
        return whittle_copy_any((CORBA_any *)to, (const CORBA_any *)from);
    case CORBA_tk_TypeCode:
        *(CORBA_TypeCode *)to = whittle_typecode_duplicate(*(const CORBA_TypeCode *)from);
        return true;
    case CORBA_tk_objref: case CORBA_tk_component: case CORBA_tk_home:
        return whittle_copy_object((CORBA_Object *)to, *(const CORBA_Object *)from);
    default:
        memcpy(to, from, type->size);
        return type->size > 0;
    }
}

CORBA_boolean CORBA_any__copy(CORBA_any *to, const CORBA_any *from)
{
    if (whittle_copy_any(to, from))
        return CORBA_TRUE;
    whittle_release_any(to);
    return CORBA_FALSE;
}
