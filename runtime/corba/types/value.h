/* SPDX-License-Identifier: MIT-0 */
/*
 * Values that only their TypeCodes describe: written, read, copied, compared and released by walking the type. One
 * file per walk. All values are C values as the mapping lays them out.
 */
#ifndef WHITTLE_CORBA_VALUE_H
#define WHITTLE_CORBA_VALUE_H
#include "any.h"
#include "constants.h"
#include "graph.h"
#include "marshal.h"
#include "place.h"
#include "sequences.h"

/* The ORB's. */
CORBA_Object CORBA_Object_duplicate(CORBA_Object object, CORBA_Environment *ev);
CORBA_boolean CORBA_Object_is_equivalent(CORBA_Object object, CORBA_Object other, CORBA_Environment *ev);

/*
 * What reading the values of one any may allocate: WHITTLE_VALUE_FREE bytes, and WHITTLE_VALUE_RATE for each byte of
 * the message that it took. A union's C structure is as large as its largest member, so a value may well need more than
 * it takes.
 */
#define WHITTLE_VALUE_FREE ((size_t)16384)
#define WHITTLE_VALUE_RATE ((size_t)64)

char *whittle_put_value(struct whittle_cdr_out *out, char *at, CORBA_TypeCode type, const void *value);
/* To zeroed memory, and what it owns is released; false: no memory, or nothing that can be copied. */
bool whittle_copy_value(CORBA_TypeCode type, void *to, const void *from);
bool whittle_equal_values(CORBA_TypeCode type, const void *one, const void *other);

/* Elements of arrays and sequences. */
WHITTLE_PLACE void *whittle_element(CORBA_TypeCode element, void *items, uint32_t index)
{
    return (char *)items + element->size * index;
}

WHITTLE_PLACE const void *whittle_element_of(CORBA_TypeCode element, const void *items, uint32_t index)
{
    return (const char *)items + element->size * index;
}

#endif
