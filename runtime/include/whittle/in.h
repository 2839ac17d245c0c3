/* SPDX-License-Identifier: MIT-0 */
/*
 * Decoding. As for encoding, a cursor `at` goes through; NULL is failure. On a memory stream the window is the rest of
 * its buffer; on any other it is exactly what the last `need` asked for, and is used up before the next, since nothing
 * can be given back.
 *
 * Who owns what: zeroed bytes are a valid empty value of every type. Storage that this call allocated is `fresh`: what
 * hangs below it is ours, and is released through it. A slot in the caller's own storage that was NULL and now points
 * to storage of ours is noted, and cleared on failure; what the caller supplied stays.
 */
#ifndef WHITTLE_IN_H
#define WHITTLE_IN_H
#include <whittle/arena.h>
#include <whittle/memory.h>
#include <whittle/order.h>

/*: in needs arena */
#ifndef WHITTLE_BLOCK
#define WHITTLE_BLOCK 3584    /* with all that is beside it on the stack less than 4,096 */
#endif
#ifndef WHITTLE_CREDIT
#define WHITTLE_CREDIT 32768    /* bytes allocated on trust, where a stream does not say its room */
#endif
#define WHITTLE_OWNED_FIRST 8
struct whittle_owned {
    void *owner;
    void (*release)(void *owner);
};
struct whittle_in {
    XDR *xdrs;
    const char *end;                /* of the window */
    struct whittle_arena *arena;    /* NULL: malloc */
    size_t owed;                    /* bytes promised to the outer arrays' items to come */
    size_t credit;
    int memory;                    /* the window is the stream's own */
    int fresh;                     /* the storage being filled was allocated by this call */
    unsigned depth;
    unsigned owned_count, owned_room;
    struct whittle_owned *owned;    /* what to release on failure, newest last */
    struct whittle_owned owned_first[WHITTLE_OWNED_FIRST];
    char block[WHITTLE_BLOCK];
};

/*: in_resume needs in */
WHITTLE_IN_PLACE const char *whittle_in_resume(struct whittle_in *in)
{
    if (WHITTLE_LIKELY(in->memory)) {
        const char *const at = (const char *)in->xdrs->x_private;
        in->end = at + in->xdrs->x_handy;
        return at;
    }
    in->end = in->block;
    return in->block;
}

/*: in_begin needs in_resume is_memory */
WHITTLE_IN_PLACE const char *whittle_in_begin(struct whittle_in *in, XDR *xdrs, struct whittle_arena *arena)
{
    in->xdrs = xdrs;
    in->arena = arena;
    in->owed = 0;
    in->credit = WHITTLE_CREDIT;
    in->memory = whittle_is_memory(xdrs);
    in->fresh = 0;
    in->depth = 0;
    in->owned_count = 0;
    in->owned_room = WHITTLE_OWNED_FIRST;
    in->owned = in->owned_first;
    return whittle_in_resume(in);
}

/*: in_pause needs in */
/* Hands the stream to another routine; in_resume takes it back. */
WHITTLE_IN_PLACE void whittle_in_pause(struct whittle_in *in, const char *at)
{
    if (WHITTLE_LIKELY(in->memory)) {
        in->xdrs->x_private = (void *)(uintptr_t)at;
        in->xdrs->x_handy = (u_int)(in->end - at);
    }
}

/*: in_end needs in_pause arena_release */
WHITTLE_COLD void whittle_in_fail(struct whittle_in *in)
{
    while (in->owned_count > 0) {
        const struct whittle_owned last = in->owned[--in->owned_count];
        last.release(last.owner);
    }
    if (WHITTLE_ARENA_OF(in) != NULL)
        whittle_arena_release(in->arena);
}

/* With `at` NULL all that this call allocated is released. */
WHITTLE_IN_PLACE bool_t whittle_in_end(struct whittle_in *in, const char *at)
{
    if (WHITTLE_LIKELY(at != NULL))
        whittle_in_pause(in, at);
    else
        whittle_in_fail(in);
    if (in->owned != in->owned_first)
        free(in->owned);
    return at != NULL;
}

/*: in_need needs in */
WHITTLE_COLD const char *whittle_in_more(struct whittle_in *in, size_t n)
{
    const char *space;
    if (in->memory)
        return NULL;
    space = (const char *)XDR_INLINE(in->xdrs, (u_int)n);
    if (space == NULL && !XDR_GETBYTES(in->xdrs, in->block, (u_int)n))
        return NULL;
    if (space == NULL)
        space = in->block;
    in->end = space + n;
    return space;
}

/* n bytes to read, n <= WHITTLE_BLOCK. */
WHITTLE_IN_PLACE const char *whittle_in_need(struct whittle_in *in, const char *at, size_t n)
{
    return WHITTLE_LIKELY((size_t)(in->end - at) >= n) ? at : whittle_in_more(in, n);
}

/*: in_enter needs in */
#ifndef WHITTLE_MAX_DEPTH
#define WHITTLE_MAX_DEPTH 1000
#endif
/* Around the routine of a recursive type. */
WHITTLE_IN_PLACE int whittle_in_enter(struct whittle_in *in)
{
    return in->depth++ < WHITTLE_MAX_DEPTH;
}

WHITTLE_IN_PLACE void whittle_in_leave(struct whittle_in *in)
{
    in->depth--;
}

/*: nesting needs attributes */
#ifndef WHITTLE_MAX_DEPTH
#define WHITTLE_MAX_DEPTH 1000
#endif
/*
 * How deep a value lies that this thread decodes from a stream by calling its xdr_T. Types under the user's conditions call each
 * other so, and would begin anew at each call: a message could nest them without end.
 */
struct whittle_nesting {
    XDR *xdrs;
    unsigned depth;
};
static __thread struct whittle_nesting whittle_nested __attribute__((unused));

/* How deep a call by xdr_T begins. */
WHITTLE_IN_PLACE unsigned whittle_nested_in(const XDR *xdrs)
{
    return whittle_nested.xdrs == xdrs ? whittle_nested.depth : 0;
}

/* Calls xdr_T, one level deeper. */
WHITTLE_APART int whittle_nest(XDR *xdrs, unsigned depth, xdrproc_t routine, void *object)
{
    const struct whittle_nesting outer = whittle_nested;
    int done;
    whittle_nested.xdrs = xdrs;
    whittle_nested.depth = depth + 1;
    done = routine(xdrs, object);
    whittle_nested = outer;
    return done;
}

/*: slot needs attributes */
/* A slot is a pointer variable of any type. */
WHITTLE_IN_PLACE void *whittle_slot_get(const void *slot)
{
    void *value;
    memcpy(&value, slot, sizeof value);
    return value;
}

WHITTLE_IN_PLACE void whittle_slot_set(void *slot, void *value)
{
    memcpy(slot, &value, sizeof value);
}

/*: release needs slot */
/* Releases storage that holds no pointers. */
WHITTLE_SHARED void whittle_release(void *slot)
{
    free(whittle_slot_get(slot));
    whittle_slot_set(slot, NULL);
}

/*: in_own needs in */
WHITTLE_COLD int whittle_in_own_more(struct whittle_in *in)
{
    const size_t size = (size_t)in->owned_room * sizeof *in->owned;
    const int first = in->owned == in->owned_first;
    struct whittle_owned *const more = (struct whittle_owned *)realloc(first ? NULL : in->owned, size * 2);
    if (more == NULL)
        return 0;
    if (first)
        memcpy(more, in->owned_first, size);
    in->owned = more;
    in->owned_room *= 2;
    return 1;
}

/* Notes that `owner` holds storage of ours and lies in the caller's. */
WHITTLE_IN_PLACE int whittle_in_own(struct whittle_in *in, void *owner, void (*release)(void *owner))
{
    if (in->owned_count == in->owned_room && !whittle_in_own_more(in))
        return 0;
    in->owned[in->owned_count].owner = owner;
    in->owned[in->owned_count].release = release;
    in->owned_count++;
    return 1;
}

/*: in_take needs in_own arena_allocate slot release */
/* Of objects, as malloc's. */
#define WHITTLE_ALIGNMENT (2 * sizeof(void *))
/* New storage for an empty slot; `owner` and `release` say how to release all that will hang there. */
WHITTLE_IN_PLACE void *whittle_in_take(struct whittle_in *in, void *slot, size_t size, size_t alignment, void *owner,
                                     void (*release)(void *owner))
{
    void *storage;
    if (WHITTLE_ARENA_OF(in) != NULL) {
        storage = whittle_arena_allocate(in->arena, size, alignment);
        if (storage != NULL)
            whittle_slot_set(slot, storage);
        return storage;
    }
#ifdef WHITTLE_XDR_CHARGE
    if (!WHITTLE_XDR_CHARGE(in->xdrs, size))
        return NULL;
#endif
    storage = malloc(size);
    if (storage == NULL)
        return NULL;
    whittle_slot_set(slot, storage);
    if (!in->fresh && !whittle_in_own(in, owner, release)) {
        whittle_release(slot);
        return NULL;
    }
    return storage;
}

/*: in_new needs in_take */
/* An object, or the first of several; in->fresh is for generated code to set and restore. */
WHITTLE_SHARED void *whittle_in_new(struct whittle_in *in, void *slot, size_t size, void *owner,
                                    void (*release)(void *owner))
{
    return whittle_in_take(in, slot, size, WHITTLE_ALIGNMENT, owner, release);
}

/*: in_allocate needs in_take */
/* One object: what the caller supplied, or new storage; in->fresh then says so, and is restored by generated code. */
WHITTLE_SHARED void *whittle_in_allocate(struct whittle_in *in, void *slot, size_t size, void (*release)(void *slot))
{
    void *object = whittle_slot_get(slot);
    if (object != NULL)
        return object;
    object = whittle_in_take(in, slot, size, WHITTLE_ALIGNMENT, slot, release);
    if (object != NULL)
        in->fresh = 1;
    return object;
}

/*: end_of_in */
#endif
