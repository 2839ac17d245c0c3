/* SPDX-License-Identifier: MIT-0 */
/* The storage of TypeCodes that were read from a message, and their owners. */
#include "graph.h"
#include "charge.h"
#include <stdlib.h>
#include <string.h>

/* The longest piece that is not made for one thing. A type of few bytes gets a piece of its size: a message may hold many. */
#define WHITTLE_PIECE 1000

struct whittle_graph *whittle_graph_begin(void)
{
    if (!whittle_account_take(whittle_charged, sizeof(struct whittle_graph)))
        return NULL;
    struct whittle_graph *const graph = (struct whittle_graph *)calloc(1, sizeof *graph);
    if (graph != NULL)
        graph->references = 1;
    return graph;
}

void *whittle_graph_take(struct whittle_graph *graph, size_t size, uint32_t count)
{
    const size_t head = sizeof(union whittle_aligned) * ((sizeof(struct whittle_piece) - 1) / sizeof(union whittle_aligned) + 1);
    if (count > SIZE_MAX / 4 / size)
        return NULL;
    const size_t wanted = (size * count + sizeof(union whittle_aligned) - 1) / sizeof(union whittle_aligned) * sizeof(union whittle_aligned);
    struct whittle_piece *piece = graph->pieces;
    if (piece == NULL || piece->size - piece->used < wanted) {
        const size_t twice = piece == NULL ? 0 : 2 * piece->size, usual = twice < WHITTLE_PIECE ? twice : WHITTLE_PIECE;
        const size_t room = head + (wanted > usual ? wanted : usual);
        piece = whittle_account_take(whittle_charged, room) ? (struct whittle_piece *)calloc(1, room) : NULL;
        if (piece == NULL)
            return NULL;
        *piece = (struct whittle_piece){graph->pieces, head, room};
        graph->pieces = piece;
    }
    char *const storage = (char *)piece + piece->used;
    piece->used += wanted;
    return storage;
}

const char *whittle_graph_text(struct whittle_graph *graph, const char *text, uint32_t length)
{
    if (length == 0)
        return "";
    char *const copy = (char *)whittle_graph_take(graph, (size_t)length + 1, 1);
    return copy == NULL ? NULL : (const char *)memcpy(copy, text, length);
}

void whittle_graph_drop(void *graph)
{
    struct whittle_graph *const dropped = (struct whittle_graph *)graph;
    if (dropped == NULL || __atomic_sub_fetch(&dropped->references, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    for (struct whittle_piece *piece = dropped->pieces, *next; piece != NULL; piece = next) {
        next = piece->next;
        free(piece);
    }
    free(dropped);
}

CORBA_TypeCode whittle_typecode_duplicate(CORBA_TypeCode type)
{
    if (type != NULL && type->graph != NULL)
        __atomic_add_fetch(&type->graph->references, 1, __ATOMIC_RELAXED);
    return type;
}

void whittle_release_typecode(void *place)
{
    CORBA_TypeCode *const type = (CORBA_TypeCode *)place;
    if (*type != NULL)
        whittle_graph_drop((*type)->graph);
    *type = NULL;
}
