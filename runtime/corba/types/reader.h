/* SPDX-License-Identifier: MIT-0 */
/* What reading one TypeCode needs: its graph, and where in the message each of its types began. */
#ifndef WHITTLE_CORBA_READER_H
#define WHITTLE_CORBA_READER_H
#include "graph.h"
#include "place.h"
#include "seen.h"

#define WHITTLE_TYPE_DEPTH 64           /* of types within types */
#define WHITTLE_WALK_DEPTH 1000         /* of walks that indirections may lead on and on */
#define WHITTLE_INDIRECTION UINT32_MAX  /* in the place of a kind */

struct whittle_reading {
    struct whittle_graph *graph;    /* NULL until the first type that is no constant */
    struct whittle_seen seen;       /* places of kinds in the message, and their types */
    unsigned depth;
};

/* in->owed: bytes that belong to what follows, and are not there for this type. */
const char *whittle_read_type(struct whittle_reading *reader, const struct whittle_cdr_in *in, const char *at,
                              CORBA_TypeCode *type, bool swapped);
/* Of kinds whose parameters stand in an encapsulation, which is `in`. */
const char *whittle_read_parameters(struct whittle_reading *reader, struct whittle_cdr_in *in, const char *at,
                                    struct CORBA_TypeCode_struct *type, struct whittle_member **members, bool swapped);

/* A whole TypeCode of its own, as it stands among parameters or in an any. On failure `value` is NULL. */
const char *whittle_read_typecode(const struct whittle_cdr_in *in, const char *at, CORBA_TypeCode *value, bool swapped);

/* `is_compact`: without names. */
char *whittle_write_typecode(struct whittle_cdr_out *out, char *at, CORBA_TypeCode type, bool is_compact);

/* Those that an indirection may still be inside of are not. */
WHITTLE_PLACE bool whittle_is_complete(CORBA_TypeCode type)
{
    return type->alignment != 0;
}

#endif
