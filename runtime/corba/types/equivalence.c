/* SPDX-License-Identifier: MIT-0 */
/*
 * Equal and equivalent TypeCodes, and ones without names. What contains itself is equal as long as nothing distinguishes it
 * apart, so each pair of types is looked at once. Source: CORBA 3, part 1, "The TypeCode Interface".
 */
#include "constants.h"
#include "graph.h"
#include "operations.h"
#include "reader.h"
#include <stdlib.h>

#define WHITTLE_PAIRS 65536     /* no two types that people write have as many; ones with more are not found equal */

struct whittle_comparison {
    struct whittle_seen seen;
    unsigned depth;
    bool is_strict;     /* names count, and aliases are types of their own */
};

static bool whittle_same(struct whittle_comparison *comparison, CORBA_TypeCode one, CORBA_TypeCode other);

/* NULL is as good as empty. */
static bool whittle_same_text(const char *one, const char *other)
{
    return strcmp(one == NULL ? "" : one, other == NULL ? "" : other) == 0;
}

static bool whittle_has_id(CORBA_TypeCode type)
{
    return type->repository_id != NULL && type->repository_id[0] != '\0';
}

static bool whittle_same_members(struct whittle_comparison *comparison, CORBA_TypeCode one, CORBA_TypeCode other)
{
    for (uint32_t index = 0; one->members != NULL && index < one->count; index++) {
        const struct whittle_member *const first = &one->members[index], *const second = &other->members[index];
        if (comparison->is_strict && !whittle_same_text(first->name, second->name))
            return false;
        if (one->kind == CORBA_tk_union && index != one->default_index &&
            !whittle_same_choice(one->content, first->label, second->label))
            return false;
        if (one->kind != CORBA_tk_union && first->label != second->label)
            return false;
        if (first->type != NULL && !whittle_same(comparison, first->type, second->type))
            return false;
    }
    return true;
}

static bool whittle_same_content(CORBA_TypeCode one, CORBA_TypeCode other, struct whittle_comparison *comparison)
{
    CORBA_TypeCode const first = one->content == NULL ? TC_CORBA_null : one->content;
    return whittle_same(comparison, first, other->content == NULL ? TC_CORBA_null : other->content);
}

static bool whittle_same_parts(struct whittle_comparison *comparison, CORBA_TypeCode one, CORBA_TypeCode other)
{
    if (whittle_seen_find(&comparison->seen, one, other) != NULL)
        return true;
    if (comparison->depth >= WHITTLE_WALK_DEPTH || comparison->seen.used >= WHITTLE_PAIRS ||
        whittle_seen_add(&comparison->seen, one, other) == NULL)
        return false;
    comparison->depth++;
    const bool is_same = whittle_same_content(one, other, comparison) && whittle_same_members(comparison, one, other);
    comparison->depth--;
    return is_same;
}

static bool whittle_same(struct whittle_comparison *comparison, CORBA_TypeCode one, CORBA_TypeCode other)
{
    one = comparison->is_strict ? one : whittle_unaliased(one);
    other = comparison->is_strict ? other : whittle_unaliased(other);
    if (one == other || one->kind != other->kind)
        return one == other;
    if (!comparison->is_strict && whittle_has_id(one) && whittle_has_id(other))
        return whittle_same_text(one->repository_id, other->repository_id);
    if (comparison->is_strict && (!whittle_same_text(one->repository_id, other->repository_id) ||
                                  !whittle_same_text(one->name, other->name)))
        return false;
    if (one->kind == CORBA_tk_union && one->default_index != other->default_index)
        return false;
    return one->count == other->count && one->scale == other->scale && whittle_same_parts(comparison, one, other);
}

static CORBA_boolean whittle_compare(CORBA_TypeCode one, CORBA_TypeCode other, bool is_strict)
{
    struct whittle_comparison comparison = {.is_strict = is_strict};
    whittle_seen_begin(&comparison.seen);
    const bool is_same = whittle_same(&comparison, one, other);
    whittle_seen_end(&comparison.seen);
    return is_same;
}

CORBA_boolean CORBA_TypeCode_equal(CORBA_TypeCode type, CORBA_TypeCode other, CORBA_Environment *ev)
{
    (void)ev;
    return whittle_compare(type, other, true);
}

CORBA_boolean CORBA_TypeCode_equivalent(CORBA_TypeCode type, CORBA_TypeCode other, CORBA_Environment *ev)
{
    (void)ev;
    return whittle_compare(type, other, false);
}

static char *whittle_grow_scratch(struct whittle_cdr_out *out, char *at, size_t more)
{
    const size_t used = at == NULL ? 0 : (size_t)(at - out->base);
    const size_t room = 2 * used + more + 256;
    char *const base = (char *)realloc(out->base, room);
    if (base == NULL)
        return NULL;
    out->base = base;
    out->end = base + room;
    return base + used;
}

/* Written without names, and read again. */
CORBA_TypeCode CORBA_TypeCode_get_compact_typecode(CORBA_TypeCode type, CORBA_Environment *ev)
{
    CORBA_TypeCode compact = NULL;
    struct whittle_cdr_out out = {.grow = whittle_grow_scratch};
    char *const at = whittle_grow_scratch(&out, NULL, 0);
    char *const end = at == NULL ? NULL : whittle_write_typecode(&out, at, type, true);
    const struct whittle_cdr_in in = {.base = out.base, .end = end};
    if (end == NULL || whittle_read_typecode(&in, out.base, &compact, WHITTLE_SENDS_SWAPPED) == NULL)
        CORBA_exception_set_system(ev, ex_CORBA_NO_MEMORY, CORBA_COMPLETED_NO);
    free(out.base);
    return compact;
}
