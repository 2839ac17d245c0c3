/* SPDX-License-Identifier: MIT-0 */
/*
 * What programs ask of a TypeCode. Source: CORBA 3, part 1, "The TypeCode Interface", with its table of who may be
 * asked what.
 */
#include "operations.h"
#include "value.h"

#define WHITTLE_KIND(name) (UINT64_C(1) << CORBA_tk_##name)
#define WHITTLE_VALUES (WHITTLE_KIND(value) | WHITTLE_KIND(event))
#define WHITTLE_TYPED (WHITTLE_KIND(struct) | WHITTLE_KIND(union) | WHITTLE_KIND(except) | WHITTLE_VALUES)
#define WHITTLE_MEMBERS (WHITTLE_TYPED | WHITTLE_KIND(enum))
#define WHITTLE_NAMED                                                                                                  \
    (WHITTLE_MEMBERS | WHITTLE_KIND(objref) | WHITTLE_KIND(alias) | WHITTLE_KIND(value_box) | WHITTLE_KIND(native) |   \
     WHITTLE_KIND(abstract_interface) | WHITTLE_KIND(local_interface) | WHITTLE_KIND(component) | WHITTLE_KIND(home))
#define WHITTLE_CONTAINERS (WHITTLE_KIND(sequence) | WHITTLE_KIND(array))
#define WHITTLE_STRINGS (WHITTLE_KIND(string) | WHITTLE_KIND(wstring))

/* Whether a type is of one of these kinds; if not, says so. */
static bool whittle_is_of(CORBA_TypeCode type, uint64_t kinds, CORBA_Environment *ev)
{
    const bool is = (kinds >> type->kind & 1) != 0;
    if (!is)
        CORBA_exception_set(ev, CORBA_USER_EXCEPTION, ex_CORBA_TypeCode_BadKind, NULL);
    return is;
}

static const struct whittle_member *whittle_member(CORBA_TypeCode type, uint64_t kinds, uint32_t index,
                                                   CORBA_Environment *ev)
{
    if (!whittle_is_of(type, kinds, ev))
        return NULL;
    if (index < type->count)
        return &type->members[index];
    CORBA_exception_set(ev, CORBA_USER_EXCEPTION, ex_CORBA_TypeCode_Bounds, NULL);
    return NULL;
}

static CORBA_char *whittle_text(const char *text, CORBA_Environment *ev)
{
    CORBA_char *const copy = CORBA_string_dup(text == NULL ? "" : text);
    if (copy == NULL)
        CORBA_exception_set_system(ev, ex_CORBA_NO_MEMORY, CORBA_COMPLETED_NO);
    return copy;
}

CORBA_TCKind CORBA_TypeCode_kind(CORBA_TypeCode type, CORBA_Environment *ev)
{
    (void)ev;
    return type->kind;
}

CORBA_RepositoryId CORBA_TypeCode_id(CORBA_TypeCode type, CORBA_Environment *ev)
{
    return whittle_is_of(type, WHITTLE_NAMED, ev) ? whittle_text(type->repository_id, ev) : NULL;
}

CORBA_Identifier CORBA_TypeCode_name(CORBA_TypeCode type, CORBA_Environment *ev)
{
    return whittle_is_of(type, WHITTLE_NAMED, ev) ? whittle_text(type->name, ev) : NULL;
}

CORBA_unsigned_long CORBA_TypeCode_member_count(CORBA_TypeCode type, CORBA_Environment *ev)
{
    return whittle_is_of(type, WHITTLE_MEMBERS, ev) ? type->count : 0;
}

CORBA_Identifier CORBA_TypeCode_member_name(CORBA_TypeCode type, CORBA_unsigned_long index, CORBA_Environment *ev)
{
    const struct whittle_member *const member = whittle_member(type, WHITTLE_MEMBERS, index, ev);
    return member == NULL ? NULL : whittle_text(member->name, ev);
}

CORBA_TypeCode CORBA_TypeCode_member_type(CORBA_TypeCode type, CORBA_unsigned_long index, CORBA_Environment *ev)
{
    const struct whittle_member *const member = whittle_member(type, WHITTLE_TYPED, index, ev);
    return member == NULL ? NULL : whittle_typecode_duplicate(member->type);
}

/* A number as the value of a discriminator's type. */
static void whittle_put_choice(CORBA_TypeCode type, CORBA_long_long label, void *value)
{
    const CORBA_octet octet = (CORBA_octet)label;
    const CORBA_unsigned_short half = (CORBA_unsigned_short)label;
    const CORBA_unsigned_long word = (CORBA_unsigned_long)label;
    const CORBA_wchar wide = (CORBA_wchar)label;
    const size_t size = whittle_word_size(type->kind);
    const void *const from = size == 1   ? (const void *)&octet
                             : size == 2 ? (const void *)&half
                             : size == 4 ? (const void *)&word
                             : size == 8 ? (const void *)&label
                                         : (const void *)&wide;
    memcpy(value, from, type->size);
}

/* The default's label is, by definition, the octet 0. */
CORBA_any *CORBA_TypeCode_member_label(CORBA_TypeCode type, CORBA_unsigned_long index, CORBA_Environment *ev)
{
    const struct whittle_member *const member = whittle_member(type, WHITTLE_KIND(union), index, ev);
    if (member == NULL)
        return NULL;
    const bool is_default = index == type->default_index;
    CORBA_TypeCode const labels = is_default ? TC_CORBA_octet : type->content;
    CORBA_any *const label = CORBA_any_alloc();
    void *const value = label == NULL ? NULL : whittle_typed_new(labels, 1);
    if (value == NULL) {
        CORBA_free(label);
        CORBA_exception_set_system(ev, ex_CORBA_NO_MEMORY, CORBA_COMPLETED_NO);
        return NULL;
    }
    whittle_put_choice(whittle_unaliased(labels), is_default ? 0 : member->label, value);
    *label = (CORBA_any){whittle_typecode_duplicate(labels), value, CORBA_TRUE};
    return label;
}

CORBA_TypeCode CORBA_TypeCode_discriminator_type(CORBA_TypeCode type, CORBA_Environment *ev)
{
    return whittle_is_of(type, WHITTLE_KIND(union), ev) ? whittle_typecode_duplicate(type->content) : NULL;
}

CORBA_long CORBA_TypeCode_default_index(CORBA_TypeCode type, CORBA_Environment *ev)
{
    return whittle_is_of(type, WHITTLE_KIND(union), ev) ? (CORBA_long)type->default_index : 0;
}

CORBA_unsigned_long CORBA_TypeCode_length(CORBA_TypeCode type, CORBA_Environment *ev)
{
    return whittle_is_of(type, WHITTLE_STRINGS | WHITTLE_CONTAINERS, ev) ? type->count : 0;
}

CORBA_TypeCode CORBA_TypeCode_content_type(CORBA_TypeCode type, CORBA_Environment *ev)
{
    const uint64_t kinds = WHITTLE_CONTAINERS | WHITTLE_KIND(alias) | WHITTLE_KIND(value_box);
    return whittle_is_of(type, kinds, ev) ? whittle_typecode_duplicate(type->content) : NULL;
}

CORBA_unsigned_short CORBA_TypeCode_fixed_digits(CORBA_TypeCode type, CORBA_Environment *ev)
{
    return whittle_is_of(type, WHITTLE_KIND(fixed), ev) ? (CORBA_unsigned_short)type->count : 0;
}

CORBA_short CORBA_TypeCode_fixed_scale(CORBA_TypeCode type, CORBA_Environment *ev)
{
    return whittle_is_of(type, WHITTLE_KIND(fixed), ev) ? type->scale : 0;
}

CORBA_Visibility CORBA_TypeCode_member_visibility(CORBA_TypeCode type, CORBA_unsigned_long index,
                                                  CORBA_Environment *ev)
{
    const struct whittle_member *const member = whittle_member(type, WHITTLE_VALUES, index, ev);
    return member == NULL ? 0 : (CORBA_Visibility)member->label;
}

CORBA_ValueModifier CORBA_TypeCode_type_modifier(CORBA_TypeCode type, CORBA_Environment *ev)
{
    return whittle_is_of(type, WHITTLE_VALUES, ev) ? type->scale : 0;
}

/* NULL: it has none. */
CORBA_TypeCode CORBA_TypeCode_concrete_base_type(CORBA_TypeCode type, CORBA_Environment *ev)
{
    if (!whittle_is_of(type, WHITTLE_VALUES, ev) || type->content == NULL || type->content->kind == CORBA_tk_null)
        return NULL;
    return whittle_typecode_duplicate(type->content);
}
