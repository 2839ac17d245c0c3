/* SPDX-License-Identifier: MIT-0 */
/* The walk through tables: from part to part, into what hangs on a value, and back where decoding fails. */
#ifndef WHITTLE_TABLE_WALK_H
#define WHITTLE_TABLE_WALK_H
#include <whittle/table_counted.h>

/*: table_walk needs table_walk_counted */
#if WALK_UNIONS
/* The parts of the case that a value selects, NULL where it has none; 0: no case is selected. */
WHITTLE_SMALL int whittle_walk_case(const struct whittle_part *choice, const char *value,
                                     const struct whittle_part **found)
{
    uint32_t label, i;
    memcpy(&label, value + choice->offset, 4);
    for (i = 1; i <= choice->number; i++)
        if (choice[i].kind == WHITTLE_DEFAULT || choice[i].number == label) {
            *found = choice[i].offset == 0 ? NULL : choice + choice[i].offset;
            return 1;
        }
    *found = NULL;
    return 0;
}

#endif
#if WALK_POINTERS
/* Whether there is a target, and which: the caller's, or new. Releasing takes it off. */
WHITTLE_SMALL int whittle_walk_target(struct whittle_walk *w, char *value, const struct whittle_part *part, char **target)
{
#if WALK_ONES
    const int is_counted = part->kind == WHITTLE_ONE;
    char *const count = value + part->offset, *const slot = count + (is_counted ? WHITTLE_DATA : 0);
#else
    char *const slot = value + part->offset;
#endif
    const size_t there = (size_t)(w->end - w->at), size = part[1].number;
    uint32_t flag;
    *target = (char *)whittle_slot_get(slot);
    flag = *target != NULL;
#if WALK_ONES
    if (is_counted && w->op != XDR_DECODE)
        memcpy(&flag, count, 4);
    if (is_counted && w->op == XDR_ENCODE && (flag > 1 || (flag != 0 && *target == NULL)))
        return 0;
#endif
    if (w->op == XDR_FREE) {
        whittle_slot_set(slot, NULL);
#if WALK_ONES
        if (flag == 0) {
            free(*target);
            *target = NULL;
        }
#endif
        return 1;
    }
    if (!whittle_walk_move(w, (char *)&flag, 4, 4))
        return 0;
#if WALK_ONES
    if (is_counted && flag > 1)
        return 0;
    /* The caller's storage stays where nothing arrives. */
    if (is_counted && flag == 0)
        *target = NULL;
    if (is_counted && w->op == XDR_DECODE) {
        memset(count, 0, 4);
        if (flag == 0)
            return 1;
    }
#endif
    if (w->op == XDR_ENCODE)
        return 1;
    if (flag == 0) {
        whittle_slot_set(slot, NULL);
        *target = NULL;
    } else if (*target == NULL) {
        if (w->memory && (w->owed > there - 4 || part[1].offset > there - 4 - w->owed))
            return 0;
        if (!whittle_walk_storage(w, slot, size, value, part))
            return 0;
        *target = (char *)whittle_slot_get(slot);
        whittle_walk_clear(*target, size);
    }
#if WALK_ONES
    if (is_counted)
        memcpy(count, &flag, 4);
#endif
    return 1;
}

#endif
#if WALK_ROUTINES
/* A routine of the user's, or one that this file has beside its tables. */
WHITTLE_SMALL int whittle_walk_routine(struct whittle_walk *w, char *value, const struct whittle_part *part)
{
    char *const object = value + part->offset;
    int is_empty = w->op == XDR_DECODE && !w->fresh;
    uint32_t i;
    for (i = 0; is_empty && i < part[1].number; i++)
        is_empty = object[i] == 0;
    if (is_empty && !whittle_walk_own(w, value, part))
        return 0;
    if (w->op != XDR_FREE && w->memory) {
        w->xdrs->x_private = w->at;
        w->xdrs->x_handy = (u_int)(w->end - w->at);
    }
    if (w->op == XDR_ENCODE && !w->memory && !whittle_walk_flush(w))
        return 0;
    if (!whittle_nest(w->xdrs, w->depth, w->routines[part->number], object))
        return 0;
    if (w->op != XDR_FREE && w->memory) {
        w->at = (char *)w->xdrs->x_private;
        w->end = w->at + w->xdrs->x_handy;
    }
    return 1;
}

#endif
WHITTLE_SMALL int whittle_walk_parts(struct whittle_walk *w, char *value, const struct whittle_part *part)
{
#if WALK_STORAGE
    const int outside = w->fresh, one = w->one;
#endif
#if WALK_POINTERS
    void *node = NULL;      /* to release, that `value` lies in: a list has led there */
#endif
#if WALK_FAR
    size_t far_away = 0;
#endif
#if WALK_DEPTH
    unsigned deeper = 0;
#endif
    int done = 1;
#if WALK_STORAGE
    w->one = 0;
#endif
    do {
#if WALK_FAR
        char *const base = value + far_away;
#else
        char *const base = value;
#endif
        char *const field = base + part->offset;
        const uint32_t number = part->number;
#if WALK_INNER
        const struct whittle_part *inner = NULL;    /* the parts that come next, before the others here */
        char *target = field;
#endif
#if WALK_INNER
#if WALK_STORAGE
        const int fresh = w->fresh;
#endif
#endif
#if WALK_POINTERS
        int is_pointer = 0;
#endif
#if WALK_FAR
        far_away = part->kind == WHITTLE_FAR ? number : 0;
#endif
        if (w->op == XDR_FREE && (part->kind <= WHITTLE_BYTES ? part->kind != WHITTLE_END : part->kind >= WHITTLE_OWE)) {
            part++;
            continue;
        }
        switch (part->kind) {
        case WHITTLE_END:
#if WALK_POINTERS
            free(node);
#endif
#if WALK_DEPTH
            w->depth -= deeper;
#endif
#if WALK_STORAGE
            w->fresh = outside;
#endif
            return 1;
        case WHITTLE_WORDS:
            done = whittle_walk_move(w, field, (uint64_t)number * 4, 4);
            break;
#if WALK_DOUBLES
        case WHITTLE_DOUBLES:
            done = whittle_walk_move(w, field, (uint64_t)number * 8, 8);
            break;
#endif
#if WALK_BYTES
        case WHITTLE_BYTES:
            done = whittle_walk_bytes(w, field, number, (0 - number) & 3);
            break;
#endif
#if WALK_COUNTED
        case WHITTLE_STRING:
        case WHITTLE_OPAQUE:
        case WHITTLE_ARRAY:
            done = whittle_walk_counted(w, base, part);
#if WALK_ARRAYS
            part += part->kind == WHITTLE_ARRAY ? 2 : 0;
#endif
            break;
#endif
#if WALK_VECTORS
        case WHITTLE_VECTOR:
#if WALK_STORAGE
            if (w->op == XDR_DECODE)
                w->owed += (size_t)number * part[1].offset;
#endif
            done = whittle_walk_items(w, field, number, part + 1);
            part += 2;
            break;
#endif
#if WALK_POINTERS
#if WALK_ONES
        case WHITTLE_ONE:
#endif
        case WHITTLE_POINTER:
            done = whittle_walk_target(w, base, part, &target);
            part += 2;
            inner = target == NULL ? NULL : whittle_walk_type(part);
            is_pointer = 1;
            break;
#endif
#if WALK_UNIONS
        case WHITTLE_UNION:
            done = whittle_walk_case(part, base, &inner) || w->op == XDR_FREE;
            target = value;
            part += number;
            break;
#endif
#if WALK_TYPES
        case WHITTLE_TYPE:
            inner = whittle_walk_type(part);
            break;
#endif
#if WALK_ROUTINES
        case WHITTLE_ROUTINE:
            done = whittle_walk_routine(w, base, part);
            part++;
            break;
#endif
#if WALK_DEPTH
        case WHITTLE_DEEPER:
            w->depth += 1 - deeper;     /* lists go on at the same level */
            deeper = 1;
            done = w->op != XDR_DECODE || w->depth <= WHITTLE_MAX_DEPTH;
            break;
#endif
#if WALK_FAR
        case WHITTLE_FAR:
            break;
#endif
#if WALK_OWED
        case WHITTLE_OWE:
            w->owed += number;
            break;
        case WHITTLE_PAY:
            w->owed -= number;
            break;
#endif
#if WALK_NUMBERS
        default:
            done = whittle_walk_number(w, field, part->kind);
            break;
#endif
        }
        part++;
        if (!done)
            break;
#if WALK_INNER
#if WALK_STORAGE
        if (inner != NULL && !one && part->kind == WHITTLE_END) {
#else
        if (inner != NULL && part->kind == WHITTLE_END) {
#endif
#if WALK_POINTERS
            if (is_pointer && w->op == XDR_FREE) {
                free(node);
                node = target;
            }
#endif
            value = target;     /* lists of any length take no stack */
            part = inner;
        } else if (inner != NULL) {
            done = whittle_walk_parts(w, target, inner);
#if WALK_POINTERS
            if (is_pointer && w->op == XDR_FREE)
                free(target);
#endif
#if WALK_STORAGE
            w->fresh = fresh;
#endif
        }
#endif
#if WALK_STORAGE
    } while (done && !one);
#else
    } while (done);
#endif
#if WALK_POINTERS
    free(node);
#endif
#if WALK_DEPTH
    w->depth -= deeper;
#endif
    return done;
}

#if WALK_STORAGE
/* Releases what this call has hung on the caller's value, newest first. */
WHITTLE_SMALL void whittle_walk_fail(struct whittle_walk *w)
{
    XDR freeing;
    memset(&freeing, 0, sizeof freeing);
    freeing.x_op = XDR_FREE;
    w->xdrs = &freeing;
    w->op = XDR_FREE;
    while (w->count > 0) {
        const struct whittle_walk_hung last = w->hung[--w->count];
        w->one = 1;
        (void)whittle_walk_parts(w, last.value, last.part);
    }
}

#endif
/* What the routine does of a type that has a table. */
WHITTLE_SMALL bool_t whittle_walk_xdr(XDR *xdrs, void *value, const struct whittle_part *part, const xdrproc_t *routines)
{
    struct whittle_walk w;
    int done;
    w.xdrs = xdrs;
    w.routines = routines;
    w.op = (int)xdrs->x_op;
    w.memory = w.op != XDR_FREE && whittle_is_memory(xdrs);
#if WALK_STORAGE
    w.fresh = w.one = 0;
    w.owed = w.count = 0;
    w.room = 4;
    w.credit = WHITTLE_CREDIT;
    w.hung = w.first;
#endif
#if WALK_ROUTINES
    w.depth = whittle_nested_in(xdrs);
    if (w.op == XDR_DECODE && w.depth > WHITTLE_MAX_DEPTH + 1)
        return 0;
#else
#if WALK_DEPTH
    w.depth = 0;
#endif
#endif
    w.at = w.end = w.block;
    if (w.memory) {
        w.at = (char *)xdrs->x_private;
        w.end = w.at + xdrs->x_handy;
    } else if (w.op == XDR_ENCODE) {
        w.end += WHITTLE_WALK_BLOCK;
    }
    done = whittle_walk_parts(&w, (char *)value, part);
    if (done && w.memory) {
        xdrs->x_private = w.at;
        xdrs->x_handy = (u_int)(w.end - w.at);
    } else if (done && w.op == XDR_ENCODE) {
        done = whittle_walk_flush(&w);
    }
#if WALK_STORAGE
    if (!done && w.op == XDR_DECODE)
        whittle_walk_fail(&w);
    if (w.hung != w.first)
        free(w.hung);
#endif
    return done;
}

/*: end_of_table_walk */
#endif
