/* SPDX-License-Identifier: MIT-0 */
/* Values of any type. Source: formal/99-07-35, "Mapping for the any Type"; CORBA 3, part 2, "Any" of CDR. */
#ifndef WHITTLE_CORBA_ANY_H
#define WHITTLE_CORBA_ANY_H
#include "fixed.h"
#include "operations.h"
#include "typecode.h"

#ifdef __cplusplus
extern "C" {
#endif

CORBA_any *CORBA_any_alloc(void);      /* also CORBA_any__alloc, of sequences.h */
CORBA_any *CORBA_any_allocbuf(CORBA_unsigned_long count);
void CORBA_any_set_release(CORBA_any *any, CORBA_boolean release);
CORBA_boolean CORBA_any_get_release(CORBA_any *any);

/*
 * A copy that owns all it has; `to` is taken for uninitialized. False: no memory, or a value that cannot be copied;
 * `to` is empty.
 */
CORBA_boolean CORBA_any__copy(CORBA_any *to, const CORBA_any *from);
/* Whether both have equal types and equal values. */
CORBA_boolean CORBA_any_equal(const CORBA_any *one, const CORBA_any *other);

#ifdef __cplusplus
}
#endif

#endif
