/* SPDX-License-Identifier: MIT-0 */
/* Anys: allocated, released, written. Source: formal/99-07-35, "Mapping for the any Type". */
#include "any.h"
#include "value.h"

CORBA_any *CORBA_any_alloc(void)
{
    return (CORBA_any *)whittle_corba_new(sizeof(CORBA_any), 1, whittle_release_any);
}

CORBA_any *CORBA_any_allocbuf(CORBA_unsigned_long count)
{
    return (CORBA_any *)whittle_corba_new(sizeof(CORBA_any), count, whittle_release_any);
}

void CORBA_any_set_release(CORBA_any *any, CORBA_boolean release)
{
    any->_release = release;
}

CORBA_boolean CORBA_any_get_release(CORBA_any *any)
{
    return any->_release;
}

/* Whatever made the value, its memory knows what it holds. */
void whittle_release_any(void *place)
{
    CORBA_any *const any = (CORBA_any *)place;
    if (any->_release)
        CORBA_free(any->_value);
    whittle_release_typecode(&any->_type);
    any->_value = NULL;
    any->_release = CORBA_FALSE;
}

char *whittle_cdr_out_any(struct whittle_cdr_out *out, char *at, const CORBA_any *value)
{
    CORBA_TypeCode const type = value->_type == NULL ? TC_CORBA_null : value->_type;
    const CORBA_TCKind kind = whittle_unaliased(type)->kind;
    at = whittle_cdr_out_typecode(out, at, &type);
    if (at == NULL || kind == CORBA_tk_null || kind == CORBA_tk_void)
        return at;
    return value->_value == NULL ? NULL : whittle_put_value(out, at, type, value->_value);
}
