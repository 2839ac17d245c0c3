/* SPDX-License-Identifier: MIT-0 */
/* A value into a message, by its TypeCode. Source: CORBA 3, part 2, section "CDR Transfer Syntax". */
#include "value.h"

static char *whittle_put_items(struct whittle_cdr_out *out, char *at, CORBA_TypeCode element, const void *items,
                               uint32_t count)
{
    const size_t word = whittle_word_size(whittle_unaliased(element)->kind);
    if (count > 0 && items == NULL)
        return NULL;
    if (word > 0 && count > 0)
        return count > SIZE_MAX / word ? NULL : whittle_place_words(out, at, word, items, count);
    for (uint32_t index = 0; index < count && at != NULL; index++)
        at = whittle_put_value(out, at, element, whittle_element_of(element, items, index));
    return at;
}

static char *whittle_put_sequence(struct whittle_cdr_out *out, char *at, CORBA_TypeCode type, const void *value)
{
    const struct whittle_sequence *const sequence = (const struct whittle_sequence *)value;
    if (type->count > 0 && sequence->_length > type->count)
        return NULL;
    at = whittle_place32(out, at, sequence->_length);
    return whittle_put_items(out, at, type->content, sequence->_buffer, sequence->_length);
}

static char *whittle_put_members(struct whittle_cdr_out *out, char *at, CORBA_TypeCode type, const char *value)
{
    if (type->kind == CORBA_tk_except)
        at = whittle_place_text(out, at, type->repository_id);
    for (uint32_t index = 0; index < type->count && at != NULL; index++)
        at = whittle_put_value(out, at, type->members[index].type, value + type->members[index].offset);
    return at;
}

static char *whittle_put_union(struct whittle_cdr_out *out, char *at, CORBA_TypeCode type, const char *value)
{
    const struct whittle_member *const chosen = whittle_chosen(type, value);
    at = whittle_put_value(out, at, type->content, value);
    return chosen == NULL ? at : whittle_put_value(out, at, chosen->type, value + chosen->offset);
}

static char *whittle_put_string(struct whittle_cdr_out *out, char *at, CORBA_TypeCode type, const CORBA_char *text)
{
    if (text == NULL || (type->count > 0 && strlen(text) > type->count))
        return NULL;
    return whittle_place_text(out, at, text);
}

char *whittle_put_value(struct whittle_cdr_out *out, char *at, CORBA_TypeCode type, const void *value)
{
    if (at == NULL || type == NULL || type->size == 0)
        return NULL;
    switch (type->kind) {
    case CORBA_tk_alias:
        return whittle_put_value(out, at, type->content, value);
    case CORBA_tk_struct: case CORBA_tk_except:
        return whittle_put_members(out, at, type, (const char *)value);
    case CORBA_tk_union:
        return whittle_put_union(out, at, type, (const char *)value);
    case CORBA_tk_array:
        return whittle_put_items(out, at, type->content, value, type->count);
    case CORBA_tk_sequence:
        return whittle_put_sequence(out, at, type, value);
    case CORBA_tk_string:
        return whittle_put_string(out, at, type, *(CORBA_char *const *)value);
    case CORBA_tk_wstring:
        return whittle_cdr_out_wstring(out, at, (CORBA_wchar *const *)value, type->count);
    case CORBA_tk_wchar:
        return whittle_cdr_out_wchar(out, at, (const CORBA_wchar *)value);
    case CORBA_tk_longdouble:
        return whittle_cdr_out_long_double(out, at, (const CORBA_long_double *)value);
    case CORBA_tk_fixed:
        return whittle_cdr_out_fixed(out, at, value, type->count, type->scale);
    case CORBA_tk_any:
        return whittle_cdr_out_any(out, at, (const CORBA_any *)value);
    case CORBA_tk_TypeCode:
        return whittle_cdr_out_typecode(out, at, (const CORBA_TypeCode *)value);
    case CORBA_tk_objref: case CORBA_tk_component: case CORBA_tk_home:
        return whittle_cdr_out_object(out, at, (const CORBA_Object *)value);
    default:
        return whittle_word_size(type->kind) == 0 ? NULL : whittle_put_items(out, at, type, value, 1);
    }
}
