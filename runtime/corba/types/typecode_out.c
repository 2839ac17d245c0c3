/* SPDX-License-Identifier: MIT-0 */
/*
 * TypeCodes into a message, in the byte order that is sent. A type that was there before, or that contains itself, is an
 * indirection to where it first stands. Source: CORBA 3, part 2, section "TypeCode" of CDR.
 */
#include "charge.h"
#include "constants.h"
#include "graph.h"
#include "marshal.h"
#include "reader.h"

struct whittle_writing {
    struct whittle_cdr_out *out;
    unsigned depth;
    bool is_compact;            /* names are left out */
    struct whittle_seen seen;   /* types and the positions of their kinds */
};

static char *whittle_write_type(struct whittle_writing *writer, char *at, CORBA_TypeCode type);

static size_t whittle_position(const struct whittle_writing *writer, const char *at)
{
    return (size_t)(at - writer->out->base);
}

/*
 * Of what stands in an encapsulation that begins at `origin`, only words of eight bytes notice it: all begin at
 * multiples of 4.
 */
static char *whittle_write_label(struct whittle_writing *writer, char *at, size_t origin, CORBA_TCKind kind,
                                 CORBA_long_long label)
{
    const CORBA_octet octet = (CORBA_octet)label;
    const CORBA_unsigned_short word = (CORBA_unsigned_short)label;
    const CORBA_wchar wide = (CORBA_wchar)label;
    CORBA_long_long sent;
    switch (kind == CORBA_tk_wchar ? 0 : whittle_word_size(kind)) {
    case 0:
        return whittle_cdr_out_wchar(writer->out, at, &wide);
    case 1:
        return whittle_place_octet(writer->out, at, octet);
    case 2:
        return whittle_place16(writer->out, at, word);
    case 4:
        return whittle_place32(writer->out, at, (uint32_t)label);
    default:
        while (at != NULL && ((whittle_position(writer, at) - origin) & 7) != 0)
            at = whittle_place_octet(writer->out, at, 0);
        whittle_take(&sent, &label, sizeof label, WHITTLE_SENDS_SWAPPED);
        return whittle_place_bytes(writer->out, at, 1, &sent, sizeof sent);
    }
}

static char *whittle_write_members(struct whittle_writing *writer, char *at, size_t origin, CORBA_TypeCode type)
{
    const bool is_value = type->kind == CORBA_tk_value || type->kind == CORBA_tk_event;
    at = whittle_place32(writer->out, at, type->count);
    for (uint32_t index = 0; index < type->count && at != NULL; index++) {
        const struct whittle_member *const member = &type->members[index];
        if (type->kind == CORBA_tk_union)
            at = whittle_write_label(writer, at, origin, whittle_unaliased(type->content)->kind, member->label);
        at = whittle_place_text(writer->out, at, writer->is_compact ? NULL : member->name);
        if (type->kind != CORBA_tk_enum)
            at = whittle_write_type(writer, at, member->type);
        if (is_value)
            at = whittle_place16(writer->out, at, (uint16_t)member->label);
    }
    return at;
}

static char *whittle_write_parameters(struct whittle_writing *writer, char *at, size_t origin, CORBA_TypeCode type)
{
    if (type->kind == CORBA_tk_sequence || type->kind == CORBA_tk_array)
        return whittle_place32(writer->out, whittle_write_type(writer, at, type->content), type->count);
    at = whittle_place_text(writer->out, at, type->repository_id);
    at = whittle_place_text(writer->out, at, writer->is_compact ? NULL : type->name);
    switch (type->kind) {
    case CORBA_tk_alias: case CORBA_tk_value_box:
        return whittle_write_type(writer, at, type->content);
    case CORBA_tk_union:
        at = whittle_place32(writer->out, whittle_write_type(writer, at, type->content), type->default_index);
        return whittle_write_members(writer, at, origin, type);
    case CORBA_tk_value: case CORBA_tk_event:
        at = whittle_place16(writer->out, at, (uint16_t)type->scale);
        at = whittle_write_type(writer, at, type->content == NULL ? TC_CORBA_null : type->content);
        return whittle_write_members(writer, at, origin, type);
    case CORBA_tk_struct: case CORBA_tk_except: case CORBA_tk_enum:
        return whittle_write_members(writer, at, origin, type);
    default:
        return at;
    }
}

/* Everything that has more than a kind and numbers. */
static char *whittle_write_encapsulation(struct whittle_writing *writer, char *at, CORBA_TypeCode type)
{
    struct whittle_met *met = whittle_seen_find(&writer->seen, type, NULL);
    if (met != NULL) {
        at = whittle_place32(writer->out, at, WHITTLE_INDIRECTION);
        const size_t back = at == NULL ? 0 : met->position - whittle_position(writer, at);
        return whittle_place32(writer->out, at, (uint32_t)back);
    }
    at = whittle_place32(writer->out, at, type->kind);
    met = at == NULL ? NULL : whittle_seen_add(&writer->seen, type, NULL);
    if (met == NULL)
        return NULL;
    if (writer->depth >= WHITTLE_WALK_DEPTH)
        return NULL;
    writer->depth++;
    met->position = whittle_position(writer, at) - 4;
    const size_t origin = whittle_position(writer, at) + 4;
    at = whittle_place_octet(writer->out, whittle_place32(writer->out, at, 0), WHITTLE_SENDS_LITTLE);
    at = whittle_write_parameters(writer, at, origin, type);
    writer->depth--;
    if (at == NULL)
        return NULL;
    const uint32_t length = (uint32_t)(whittle_position(writer, at) - origin);
    whittle_take(writer->out->base + origin - 4, &length, sizeof length, WHITTLE_SENDS_SWAPPED);
    return at;
}

static char *whittle_write_type(struct whittle_writing *writer, char *at, CORBA_TypeCode type)
{
    if (at == NULL || type == NULL)
        return NULL;
    switch (type->kind) {
    case CORBA_tk_string: case CORBA_tk_wstring:
        return whittle_place32(writer->out, whittle_place32(writer->out, at, type->kind), type->count);
    case CORBA_tk_fixed:
        at = whittle_place16(writer->out, whittle_place32(writer->out, at, type->kind), (uint16_t)type->count);
        return whittle_place16(writer->out, at, (uint16_t)type->scale);
    case CORBA_tk_objref: case CORBA_tk_struct: case CORBA_tk_union: case CORBA_tk_enum: case CORBA_tk_sequence:
    case CORBA_tk_array: case CORBA_tk_alias: case CORBA_tk_except: case CORBA_tk_value: case CORBA_tk_value_box:
    case CORBA_tk_native: case CORBA_tk_abstract_interface: case CORBA_tk_local_interface: case CORBA_tk_component:
    case CORBA_tk_home: case CORBA_tk_event:
        return whittle_write_encapsulation(writer, at, type);
    default:
        return whittle_place32(writer->out, at, type->kind);
    }
}

char *whittle_write_typecode(struct whittle_cdr_out *out, char *at, CORBA_TypeCode type, bool is_compact)
{
    struct whittle_writing writer = {.out = out, .is_compact = is_compact};
    whittle_seen_begin(&writer.seen);
    at = whittle_write_type(&writer, at, type);
    whittle_seen_end(&writer.seen);
    return at;
}

char *whittle_cdr_out_typecode(struct whittle_cdr_out *out, char *at, const CORBA_TypeCode *value)
{
    return whittle_write_typecode(out, at, *value == NULL ? TC_CORBA_null : *value, false);
}

const char *whittle_cdr_in_typecode(struct whittle_cdr_in *in, const char *at, CORBA_TypeCode *value, bool swapped)
{
    struct whittle_account *const before = whittle_account_begin(in->account);
    at = whittle_read_typecode(in, at, value, swapped);
    whittle_account_begin(before);
    if (at != NULL && in->borrow && (*value)->graph != NULL &&
        !whittle_cdr_in_later(in, (*value)->graph, whittle_graph_drop)) {
        *value = NULL;
        return NULL;
    }
    return at;
}
