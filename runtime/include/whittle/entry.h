/* SPDX-License-Identifier: MIT-0 */
/* What every xdr_T does around its routines. Apart, so that their large frames are not the entries'. */
#ifndef WHITTLE_ENTRY_H
#define WHITTLE_ENTRY_H
#include <whittle/in.h>
#include <whittle/out.h>

/*: marshal needs out_begin out_end */
WHITTLE_APART bool_t whittle_marshal(XDR *xdrs, const void *value,
                                     char *(*encode)(struct whittle_out *, char *, const void *))
{
    struct whittle_out out;
    char *const at = whittle_out_begin(&out, xdrs);
    return whittle_out_end(&out, encode(&out, at, value));
}

/*: whole_run needs is_memory put32 */
/*
 * A message that is nothing but one counted run of words, on a memory stream with room for all of it: no window and no
 * routine. The count is written and the stream moved on; returns where the words go. NULL where that does not hold, and
 * nothing has happened: whittle_marshal is next.
 */
WHITTLE_IN_PLACE char *whittle_whole_run(XDR *xdrs, const void *items, uint32_t count, uint32_t bound, uint32_t size)
{
    const uint64_t bytes = (uint64_t)count * size;
    const u_int room = (u_int)xdrs->x_handy;
    char *at;
    if (!whittle_is_known_memory(xdrs) || items == NULL || count > bound || room < 4 || bytes > room - 4)
        return NULL;
    at = (char *)xdrs->x_private;
    whittle_put32(at, count);
    xdrs->x_private = at + 4 + bytes;
    xdrs->x_handy = room - 4 - (u_int)bytes;
    return at + 4;
}

/*: marshal_run32 needs whole_run order32_long */
WHITTLE_IN_PLACE int whittle_marshal_run32(XDR *xdrs, const void *items, uint32_t count, uint32_t bound,
                                            uint32_t size)
{
    char *const at = whittle_whole_run(xdrs, items, count, bound, size);
    if (at != NULL)
        whittle_order32_long(at, items, (size_t)count * size);
    return at != NULL;
}

/*: marshal_run64 needs whole_run order64_long */
WHITTLE_IN_PLACE int whittle_marshal_run64(XDR *xdrs, const void *items, uint32_t count, uint32_t bound,
                                            uint32_t size)
{
    char *const at = whittle_whole_run(xdrs, items, count, bound, size);
    if (at != NULL)
        whittle_order64_long(at, items, (size_t)count * size);
    return at != NULL;
}

/*: unmarshal needs in_begin in_end */
WHITTLE_APART bool_t whittle_unmarshal(XDR *xdrs, void *value,
                                       const char *(*decode)(struct whittle_in *, const char *, void *))
{
    struct whittle_in in;
    const char *const at = whittle_in_begin(&in, xdrs, NULL);
    return whittle_in_end(&in, decode(&in, at, value));
}

/*: unmarshal_nested needs in_begin in_end nesting */
/* The same in files whose routines call each other by xdr_T. */
WHITTLE_APART bool_t whittle_unmarshal_nested(XDR *xdrs, void *value,
                                              const char *(*decode)(struct whittle_in *, const char *, void *))
{
    struct whittle_in in;
    const char *const at = whittle_in_begin(&in, xdrs, NULL);
    in.depth = whittle_nested_in(xdrs);
    return whittle_in_end(&in, in.depth <= WHITTLE_MAX_DEPTH + 1 ? decode(&in, at, value) : NULL);
}

/*: unmarshal_in_arena needs in_begin in_end arena_begin */
/* An arena that begins in `first`; `*blocks` is what whittle_arena_free releases, NULL when decoding failed. */
WHITTLE_APART bool_t whittle_unmarshal_in_arena(XDR *xdrs, void *value, void **blocks, void *first, size_t size,
                                                const char *(*decode)(struct whittle_in *, const char *, void *))
{
    struct whittle_arena arena;
    struct whittle_in in;
    const char *at;
    bool_t done;
    whittle_arena_begin(&arena, first, size);
    at = whittle_in_begin(&in, xdrs, &arena);
    done = whittle_in_end(&in, decode(&in, at, value));
    *blocks = arena.blocks;
    return done;
}

/*: end_of_entry */
#endif
