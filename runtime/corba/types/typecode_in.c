/* SPDX-License-Identifier: MIT-0 */
/*
 * TypeCodes out of a message that anybody may have written. What is allocated is bounded by the bytes that are there,
 * depth by WHITTLE_TYPE_DEPTH; what an indirection points back to is shared, so that a graph is never larger than the
 * message. Source: CORBA 3, part 2, section "TypeCode" of CDR: the table of parameters; "Indirection: Recursive and
 * Repeated TypeCodes".
 */
#include "reader.h"
#include "marshal.h"

static const char *whittle_read_text(struct whittle_reading *reader, const struct whittle_cdr_in *in, const char *at,
                                     const char **text, bool swapped)
{
    const char *found = NULL;
    uint32_t length = 0;
    at = whittle_find_text(in, at, &found, &length, swapped);
    if (at == NULL)
        return NULL;
    *text = whittle_graph_text(reader->graph, found, length);
    return *text == NULL ? NULL : at;
}

static const char *whittle_read_label(struct whittle_cdr_in *in, const char *at, CORBA_TCKind kind,
                                      CORBA_long_long *label, bool swapped)
{
    CORBA_long_long word = 0;
    CORBA_wchar wide = 0;
    at = kind == CORBA_tk_wchar ? whittle_cdr_in_wchar(in, at, &wide, swapped)
                                : whittle_find_bytes(in, at, &word, whittle_word_size(kind), swapped);
    if (at != NULL)
        *label = whittle_choice(kind, kind == CORBA_tk_wchar ? (const void *)&wide : (const void *)&word);
    return at;
}

/* Member by member; `least` is the fewest bytes that one takes. */
static const char *whittle_read_members(struct whittle_reading *reader, struct whittle_cdr_in *in, const char *at,
                                        struct CORBA_TypeCode_struct *type, struct whittle_member **members,
                                        bool swapped)
{
    const bool is_value = type->kind == CORBA_tk_value || type->kind == CORBA_tk_event;
    const size_t least = type->kind == CORBA_tk_enum ? 5 : 12;
    at = whittle_find32(in, at, &type->count, swapped);
    if (at == NULL || type->count > (size_t)(in->end - at) / least)
        return NULL;
    *members = (struct whittle_member *)whittle_graph_take(reader->graph, sizeof **members, type->count);
    type->members = *members;
    for (uint32_t index = 0; index < type->count && *members != NULL && at != NULL; index++) {
        struct whittle_member *const member = &(*members)[index];
        if (type->kind == CORBA_tk_union)
            at = whittle_read_label(in, at, whittle_unaliased(type->content)->kind, &member->label, swapped);
        at = whittle_read_text(reader, in, at, &member->name, swapped);
        in->owed = (type->count - 1 - index) * least;
        if (type->kind != CORBA_tk_enum)
            at = whittle_read_type(reader, in, at, &member->type, swapped);
        uint16_t visibility = 0;
        if (is_value)
            at = whittle_find16(in, at, &visibility, swapped);
        member->label = is_value ? visibility : member->label;
    }
    in->owed = 0;
    return *members == NULL ? NULL : at;
}

/* What stands before the members of a union, or of a value type. */
static const char *whittle_read_head(struct whittle_reading *reader, struct whittle_cdr_in *in, const char *at,
                                     struct CORBA_TypeCode_struct *type, bool swapped)
{
    if (type->kind == CORBA_tk_union) {
        at = whittle_read_type(reader, in, at, &type->content, swapped);
        at = whittle_find32(in, at, &type->default_index, swapped);
        return at != NULL && whittle_is_complete(type->content) &&
                       whittle_chooses(whittle_unaliased(type->content)->kind) ? at : NULL;
    }
    if (type->kind != CORBA_tk_value && type->kind != CORBA_tk_event)
        return at;
    uint16_t modifier = 0;
    at = whittle_find16(in, at, &modifier, swapped);
    type->scale = (int16_t)modifier;
    return whittle_read_type(reader, in, at, &type->content, swapped);
}

const char *whittle_read_parameters(struct whittle_reading *reader, struct whittle_cdr_in *in, const char *at,
                                    struct CORBA_TypeCode_struct *type, struct whittle_member **members, bool swapped)
{
    if (type->kind == CORBA_tk_sequence || type->kind == CORBA_tk_array) {
        in->owed = 4;
        at = whittle_read_type(reader, in, at, &type->content, swapped);
        in->owed = 0;
        return whittle_find32(in, at, &type->count, swapped);
    }
    at = whittle_read_text(reader, in, at, &type->repository_id, swapped);
    at = whittle_read_text(reader, in, at, &type->name, swapped);
    switch (type->kind) {
    case CORBA_tk_alias: case CORBA_tk_value_box:
        return whittle_read_type(reader, in, at, &type->content, swapped);
    case CORBA_tk_struct: case CORBA_tk_except: case CORBA_tk_union: case CORBA_tk_enum: case CORBA_tk_value:
    case CORBA_tk_event:
        at = whittle_read_head(reader, in, at, type, swapped);
        at = whittle_read_members(reader, in, at, type, members, swapped);
        return type->default_index >= type->count && type->default_index != WHITTLE_NO_DEFAULT ? NULL : at;
    default:
        return at;
    }
}
