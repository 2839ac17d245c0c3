/* SPDX-License-Identifier: MIT-0 */
/*
 * One type out of a message: a constant, one that was there before, or a new one with its parameters. Source: CORBA 3,
 * part 2, section "TypeCode" of CDR.
 */
#include "constants.h"
#include "marshal.h"
#include "reader.h"

/* Kinds without parameters, and strings without bounds. NULL: the kind has parameters, or is none. */
static CORBA_TypeCode whittle_constant(uint32_t kind)
{
    switch (kind) {
    case CORBA_tk_null: return TC_CORBA_null;
    case CORBA_tk_void: return TC_CORBA_void;
    case CORBA_tk_short: return TC_CORBA_short;
    case CORBA_tk_long: return TC_CORBA_long;
    case CORBA_tk_ushort: return TC_CORBA_unsigned_short;
    case CORBA_tk_ulong: return TC_CORBA_unsigned_long;
    case CORBA_tk_float: return TC_CORBA_float;
    case CORBA_tk_double: return TC_CORBA_double;
    case CORBA_tk_boolean: return TC_CORBA_boolean;
    case CORBA_tk_char: return TC_CORBA_char;
    case CORBA_tk_octet: return TC_CORBA_octet;
    case CORBA_tk_any: return TC_CORBA_any;
    case CORBA_tk_TypeCode: return TC_CORBA_TypeCode;
    case CORBA_tk_Principal: return TC_CORBA_Principal;
    case CORBA_tk_longlong: return TC_CORBA_long_long;
    case CORBA_tk_ulonglong: return TC_CORBA_unsigned_long_long;
    case CORBA_tk_longdouble: return TC_CORBA_long_double;
    case CORBA_tk_wchar: return TC_CORBA_wchar;
    default: return NULL;
    }
}

static struct CORBA_TypeCode_struct *whittle_new_type(struct whittle_reading *reader, const char *place, uint32_t kind)
{
    reader->graph = reader->graph == NULL ? whittle_graph_begin() : reader->graph;
    struct whittle_node *const node =
        reader->graph == NULL ? NULL : (struct whittle_node *)whittle_graph_take(reader->graph, sizeof *node, 1);
    struct CORBA_TypeCode_struct *const type = node == NULL ? NULL : &node->type;
    struct whittle_met *const met = type == NULL ? NULL : whittle_seen_add(&reader->seen, place, NULL);
    if (met == NULL)
        return NULL;
    met->place = type;
    type->kind = (CORBA_TCKind)kind;
    type->graph = reader->graph;
    type->default_index = WHITTLE_NO_DEFAULT;
    return type;
}

static const char *whittle_read_indirection(struct whittle_reading *reader, const struct whittle_cdr_in *in,
                                            const char *at, CORBA_TypeCode *type, bool swapped)
{
    uint32_t offset = 0;
    const char *const after = whittle_find32(in, at, &offset, swapped);
    if (after == NULL)
        return NULL;
    /* The place it names may be outside of the message, so it is no more than a number. */
    const uintptr_t place = (uintptr_t)(after - 4) - (uint32_t)-offset;
    const struct whittle_met *const met = whittle_seen_find(&reader->seen, (const void *)place, NULL);
    if (met == NULL)
        return NULL;
    *type = (CORBA_TypeCode)met->place;
    return after;
}

static const char *whittle_read_encapsulation(struct whittle_reading *reader, const struct whittle_cdr_in *in,
                                              const char *at, struct CORBA_TypeCode_struct *type,
                                              struct whittle_member **members, bool swapped)
{
    uint32_t length = 0;
    at = whittle_find32(in, at, &length, swapped);
    if (at == NULL || length == 0 || in->owed > (size_t)(in->end - at) || length > (size_t)(in->end - at) - in->owed)
        return NULL;
    struct whittle_cdr_in inside = {.base = at, .end = at + length};
    const bool turned = ((at[0] & 1) != 0) != WHITTLE_LITTLE_ENDIAN;
    const char *const end = whittle_read_parameters(reader, &inside, at + 1, type, members, turned);
    return end == NULL ? NULL : at + length;
}

static uint32_t whittle_height(CORBA_TypeCode type)
{
    return type == NULL || type->graph == NULL ? 0 : ((const struct whittle_node *)(const void *)type)->height;
}

/*
 * Whoever walks a value goes so deep, or as deep as sequences nest in the value; shared types could be nested as deep
 * as a message is long.
 */
static bool whittle_is_flat(struct CORBA_TypeCode_struct *type)
{
    uint32_t height = whittle_height(type->content);
    for (uint32_t index = 0; index < type->count && type->members != NULL; index++) {
        const uint32_t member = whittle_height(type->members[index].type);
        height = member > height ? member : height;
    }
    ((struct whittle_node *)(void *)type)->height = height + 1;
    return height < WHITTLE_TYPE_DEPTH;
}

static const char *whittle_read_new_type(struct whittle_reading *reader, const struct whittle_cdr_in *in,
                                         const char *at, struct CORBA_TypeCode_struct *type, bool swapped)
{
    struct whittle_member *members = NULL;
    uint16_t digits = 0, scale = 0;
    switch (type->kind) {
    case CORBA_tk_string: case CORBA_tk_wstring:
        at = whittle_find32(in, at, &type->count, swapped);
        break;
    case CORBA_tk_fixed:
        at = whittle_find16(in, whittle_find16(in, at, &digits, swapped), &scale, swapped);
        type->count = digits;
        type->scale = (int16_t)scale;
        break;
    default:
        at = whittle_read_encapsulation(reader, in, at, type, &members, swapped);
    }
    return at != NULL && whittle_is_flat(type) && whittle_layout(type, members) ? at : NULL;
}

const char *whittle_read_type(struct whittle_reading *reader, const struct whittle_cdr_in *in, const char *at,
                              CORBA_TypeCode *type, bool swapped)
{
    uint32_t kind = 0;
    at = whittle_find32(in, at, &kind, swapped);
    if (at == NULL)
        return NULL;
    if (kind == WHITTLE_INDIRECTION)
        return whittle_read_indirection(reader, in, at, type, swapped);
    *type = whittle_constant(kind);
    if (*type != NULL)
        return at;
    const bool is_known = kind <= CORBA_tk_event && reader->depth < WHITTLE_TYPE_DEPTH;
    struct CORBA_TypeCode_struct *const read = is_known ? whittle_new_type(reader, at - 4, kind) : NULL;
    if (read == NULL)
        return NULL;
    *type = read;
    reader->depth++;
    at = whittle_read_new_type(reader, in, at, read, swapped);
    reader->depth--;
    return at;
}

const char *whittle_read_typecode(const struct whittle_cdr_in *in, const char *at, CORBA_TypeCode *value, bool swapped)
{
    struct whittle_reading reader;
    struct whittle_cdr_in whole = {.base = in->base, .end = in->end};
    uint32_t kind = 0;
    const char *const after = whittle_find32(&whole, at, &kind, swapped);
    *value = after == NULL ? NULL : whittle_constant(kind);
    if (*value != NULL)     /* as most are */
        return after;
    reader.graph = NULL;
    reader.depth = 0;
    whittle_seen_begin(&reader.seen);
    at = whittle_read_type(&reader, &whole, at, value, swapped);
    whittle_seen_end(&reader.seen);
    if (at == NULL) {
        *value = NULL;
        whittle_graph_drop(reader.graph);
    }
    return at;
}
