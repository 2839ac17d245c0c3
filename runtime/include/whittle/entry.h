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

/*: unmarshal needs in_begin in_end */
WHITTLE_APART bool_t whittle_unmarshal(XDR *xdrs, void *value,
                                       const char *(*decode)(struct whittle_in *, const char *, void *))
{
    struct whittle_in in;
    const char *const at = whittle_in_begin(&in, xdrs, NULL);
    return whittle_in_end(&in, decode(&in, at, value));
}

/*: unmarshal_in_arena needs in_begin in_end arena_begin */
/* An arena that begins in `first`; `*blocks` is what whittle_arena_free lets go of, NULL when decoding failed. */
WHITTLE_APART bool_t whittle_unmarshal_in_arena(XDR *xdrs, void *value, void **blocks, void *first, size_t size,
                                                const char *(*decode)(struct whittle_in *, const char *, void *))
{
    struct whittle_arena arena;
    struct whittle_in in;
    whittle_arena_begin(&arena, first, size);
    const char *const at = whittle_in_begin(&in, xdrs, &arena);
    const bool_t done = whittle_in_end(&in, decode(&in, at, value));
    *blocks = arena.blocks;
    return done;
}

/*: end_of_entry */
#endif
