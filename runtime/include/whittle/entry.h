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
/* `arena` NULL: storage is the heap's. */
WHITTLE_APART bool_t whittle_unmarshal(XDR *xdrs, void *value, struct whittle_arena *arena,
                                       const char *(*decode)(struct whittle_in *, const char *, void *))
{
    struct whittle_in in;
    const char *const at = whittle_in_begin(&in, xdrs, arena);
    return whittle_in_end(&in, decode(&in, at, value));
}

/*: end_of_entry */
#endif
