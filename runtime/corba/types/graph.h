/* SPDX-License-Identifier: MIT-0 */
/*
 * TypeCodes read from a message: all that one of them reaches lives in one graph and goes with its last owner, so that
 * recursive types are no cycle of counts.
 */
#ifndef WHITTLE_CORBA_GRAPH_H
#define WHITTLE_CORBA_GRAPH_H
#include "typecode.h"

struct whittle_piece {
    struct whittle_piece *next;
    size_t used;
    size_t size;
};
struct whittle_graph {
    uint32_t references;    /* counted by atomic operations */
    struct whittle_piece *pieces;
};

struct whittle_node {
    struct CORBA_TypeCode_struct type;
    uint32_t height;        /* of the types that it contains; one that is not complete yet counts nothing */
};

/* Owned once. NULL: no memory. */
struct whittle_graph *whittle_graph_begin(void);
/* Zeroed storage that lives as long as the graph. NULL: no memory. */
void *whittle_graph_take(struct whittle_graph *graph, size_t size, uint32_t count);
const char *whittle_graph_text(struct whittle_graph *graph, const char *text, uint32_t length);
void whittle_graph_drop(void *graph);

/*
 * What a type's values look like in C, from what its parts look like; false: parts that cannot be, or that contain it.
 */
bool whittle_layout(struct CORBA_TypeCode_struct *type, struct whittle_member *members);
/* Beyond every name that aliases give. */
CORBA_TypeCode whittle_unaliased(CORBA_TypeCode type);
/* Values of these kinds can choose a union's member; their value as a number. */
bool whittle_chooses(CORBA_TCKind kind);
CORBA_long_long whittle_choice(CORBA_TCKind kind, const void *value);
bool whittle_same_choice(CORBA_TypeCode discriminator, CORBA_long_long one, CORBA_long_long other);
/* Which member of a union a discriminator chooses; NULL: none. */
const struct whittle_member *whittle_chosen(CORBA_TypeCode type, const void *value);
/* As `release` of a type from a message: whittle_release_value walks the value. */
void whittle_release_by_type(void *value);

#endif
