/* SPDX-License-Identifier: MIT-0 */
/*
 * A value out of a message that anybody may have written, by the TypeCode that came with it. What it owns is always
 * memory of CORBA_free; where reading fails, what was read so far is there to be released. Source: CORBA 3, part 2,
 * section "CDR Transfer Syntax".
 */
#include "charge.h"
#include "reader.h"
#include "value.h"

struct whittle_values {
    struct whittle_cdr_in in;
    const char *start;
    size_t spent;               /* bytes of memory */
    bool swapped;
};

static const char *whittle_get_value(struct whittle_values *values, const char *at, CORBA_TypeCode type, void *value);

static bool whittle_afford(struct whittle_values *values, const char *at, size_t bytes)
{
    values->spent += bytes;
    return values->spent <= WHITTLE_VALUE_FREE + WHITTLE_VALUE_RATE * (size_t)(at - values->start);
}

/* Words that have the same bits in memory; of booleans and enumerations not all bits are values. */
static const char *whittle_get_words(struct whittle_values *values, const char *at, CORBA_TypeCode type, void *items,
                                     uint32_t count)
{
    const size_t word = whittle_word_size(type->kind);
    if (count == 0)
        return at;
    at = whittle_find(&values->in, at, word, word * count);
    for (uint32_t index = 0; index < count && at != NULL; index++) {
        char *const item = (char *)items + word * index;
        whittle_take(item, at + word * index, word, values->swapped);
        if (type->kind == CORBA_tk_boolean)
            *item = *item != 0;
        if (type->kind == CORBA_tk_enum && whittle_choice(CORBA_tk_enum, item) >= type->count)
            return NULL;
    }
    return at == NULL ? NULL : at + word * count;
}

static const char *whittle_get_items(struct whittle_values *values, const char *at, CORBA_TypeCode element, void *items,
                                     uint32_t count)
{
    CORBA_TypeCode const type = whittle_unaliased(element);
    if (whittle_word_size(type->kind) > 0)
        return whittle_get_words(values, at, type, items, count);
    for (uint32_t index = 0; index < count && at != NULL; index++)
        at = whittle_get_value(values, at, element, whittle_element(element, items, index));
    return at;
}

/* The buffer grows with the elements that were there, and never believes a count. */
static const char *whittle_get_elements(struct whittle_values *values, const char *at, CORBA_TypeCode element,
                                        struct whittle_sequence *sequence, uint32_t count)
{
    const uint32_t first = element->size < 256 ? (uint32_t)(256 / element->size) : 1;
    for (uint32_t index = 0; index < count && at != NULL; index++) {
        if (index == sequence->_maximum) {
            const uint32_t twice = index == 0 ? first : index > count / 2 ? count : 2 * index;
            const uint32_t room = twice < count ? twice : count;
            if (!whittle_afford(values, at, (room - index) * element->size))
                return NULL;
            void *const items = sequence->_buffer == NULL ? whittle_typed_new(element, room)
                                                          : whittle_typed_grow(element, sequence->_buffer, room);
            if (items == NULL)
                return NULL;
            sequence->_buffer = items;
            sequence->_maximum = room;
        }
        at = whittle_get_value(values, at, element, whittle_element(element, sequence->_buffer, index));
        sequence->_length = index + 1;
    }
    return at;
}

static const char *whittle_get_sequence(struct whittle_values *values, const char *at, CORBA_TypeCode type, void *value)
{
    struct whittle_sequence *const sequence = (struct whittle_sequence *)value;
    CORBA_TypeCode const element = type->content;
    const size_t word = whittle_word_size(whittle_unaliased(element)->kind);
    uint32_t count = 0;
    at = whittle_find32(&values->in, at, &count, values->swapped);
    if (at == NULL || (type->count > 0 && count > type->count) || element->size == 0)
        return NULL;
    sequence->_release = CORBA_TRUE;
    if (word == 0)
        return whittle_get_elements(values, at, element, sequence, count);
    if (count == 0)
        return at;
    if (count > (size_t)(values->in.end - at) / word)
        return NULL;
    sequence->_buffer = whittle_typed_new(element, count);
    if (sequence->_buffer == NULL)
        return NULL;
    sequence->_maximum = sequence->_length = count;
    return whittle_get_items(values, at, element, sequence->_buffer, count);
}

static const char *whittle_get_members(struct whittle_values *values, const char *at, CORBA_TypeCode type, char *value)
{
    const char *id = NULL;
    uint32_t length = 0;
    if (type->kind == CORBA_tk_except)
        at = whittle_find_text(&values->in, at, &id, &length, values->swapped);
    for (uint32_t index = 0; index < type->count && at != NULL; index++)
        at = whittle_get_value(values, at, type->members[index].type, value + type->members[index].offset);
    return at;
}

static const char *whittle_get_union(struct whittle_values *values, const char *at, CORBA_TypeCode type, char *value)
{
    at = whittle_get_value(values, at, type->content, value);
    const struct whittle_member *const chosen = at == NULL ? NULL : whittle_chosen(type, value);
    return chosen == NULL ? at : whittle_get_value(values, at, chosen->type, value + chosen->offset);
}

static const char *whittle_get_string(struct whittle_values *values, const char *at, CORBA_TypeCode type,
                                      CORBA_char **value)
{
    const char *text = NULL;
    uint32_t length = 0;
    at = whittle_find_text(&values->in, at, &text, &length, values->swapped);
    if (at == NULL || (type->count > 0 && length > type->count))
        return NULL;
    *value = CORBA_string_alloc(length);
    if (*value == NULL)
        return NULL;
    memcpy(*value, text, length);
    return at;
}

static const char *whittle_get_any(struct whittle_values *values, const char *at, CORBA_any *any)
{
    any->_release = CORBA_TRUE;
    at = whittle_read_typecode(&values->in, at, &any->_type, values->swapped);
    if (at == NULL)
        return NULL;
    const CORBA_TCKind kind = whittle_unaliased(any->_type)->kind;
    if (kind == CORBA_tk_null || kind == CORBA_tk_void)
        return at;
    if (any->_type->size == 0 || !whittle_afford(values, at, any->_type->size))
        return NULL;
    any->_value = whittle_typed_new(any->_type, 1);
    return any->_value == NULL ? NULL : whittle_get_value(values, at, any->_type, any->_value);
}

static const char *whittle_get_this(struct whittle_values *values, const char *at, CORBA_TypeCode type, void *value)
{
    struct whittle_cdr_in *const in = &values->in;
    switch (type->kind) {
    case CORBA_tk_alias:
        return whittle_get_value(values, at, type->content, value);
    case CORBA_tk_struct: case CORBA_tk_except:
        return whittle_get_members(values, at, type, (char *)value);
    case CORBA_tk_union:
        return whittle_get_union(values, at, type, (char *)value);
    case CORBA_tk_array:
        return whittle_get_items(values, at, type->content, value, type->count);
    case CORBA_tk_sequence:
        return whittle_get_sequence(values, at, type, value);
    case CORBA_tk_string:
        return whittle_get_string(values, at, type, (CORBA_char **)value);
    case CORBA_tk_wstring:
        return whittle_cdr_in_wstring(in, at, (CORBA_wchar **)value, type->count, values->swapped);
    case CORBA_tk_wchar:
        return whittle_cdr_in_wchar(in, at, (CORBA_wchar *)value, values->swapped);
    case CORBA_tk_longdouble:
        return whittle_cdr_in_long_double(in, at, (CORBA_long_double *)value, values->swapped);
    case CORBA_tk_fixed:
        return whittle_cdr_in_fixed(in, at, value, type->count, type->scale, values->swapped);
    case CORBA_tk_any:
        return whittle_get_any(values, at, (CORBA_any *)value);
    case CORBA_tk_TypeCode:
        return whittle_read_typecode(in, at, (CORBA_TypeCode *)value, values->swapped);
    case CORBA_tk_objref: case CORBA_tk_component: case CORBA_tk_home:
        return whittle_cdr_in_object(in, at, (CORBA_Object *)value, values->swapped);
    default:
        return whittle_word_size(type->kind) == 0 ? NULL : whittle_get_words(values, at, type, value, 1);
    }
}

static const char *whittle_get_value(struct whittle_values *values, const char *at, CORBA_TypeCode type, void *value)
{
    if (at == NULL || type->size == 0 || values->in.depth >= WHITTLE_MAX_DEPTH)
        return NULL;
    values->in.depth++;
    at = whittle_get_this(values, at, type, value);
    values->in.depth--;
    return at;
}

/* The any that a servant sees owns nothing: what it holds is released with the message. false: no memory. */
static bool whittle_any_lent(struct whittle_cdr_in *in, CORBA_any *value)
{
    value->_release = CORBA_FALSE;
    if (value->_value == NULL && value->_type->graph == NULL)
        return true;
    CORBA_any *const owner = (CORBA_any *)in->allocate(in, sizeof *owner, 1, NULL);
    CORBA_any held = {value->_type, value->_value, CORBA_TRUE};
    if (owner == NULL) {
        whittle_release_any(&held);
    } else {
        *owner = held;
        if (whittle_cdr_in_later(in, owner, whittle_release_any))
            return true;
    }
    *value = (CORBA_any){NULL, NULL, CORBA_FALSE};
    return false;
}

const char *whittle_cdr_in_any(struct whittle_cdr_in *in, const char *at, CORBA_any *value, bool swapped)
{
    struct whittle_values values = {.in = *in, .start = at, .swapped = swapped};
    values.in.borrow = false;
    values.in.allocate = whittle_corba_allocate;
    *value = (CORBA_any){NULL, NULL, CORBA_TRUE};
    struct whittle_account *const before = whittle_account_begin(in->account);
    if (in->account != NULL)
        in->account->lends = in->borrow && in->account->block != NULL;
    at = whittle_get_any(&values, at, value);
    if (in->account != NULL)
        in->account->lends = false;
    whittle_account_begin(before);
    if (at == NULL)
        whittle_release_any(value);
    return at == NULL || !in->borrow || whittle_any_lent(in, value) ? at : NULL;
}
