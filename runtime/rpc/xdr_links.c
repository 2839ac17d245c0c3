/* SPDX-License-Identifier: MIT-0 */
/* Routines for what hangs on pointers, and for unions (RFC 4506, sections 4.15 and 4.19). */
#include "rpc_shared.h"

bool_t xdr_reference(XDR *xdrs, char **object, u_int size, xdrproc_t routine)
{
    if (*object == NULL && xdrs->x_op == XDR_DECODE && WHITTLE_XDR_CHARGE(xdrs, size))
        *object = (char *)calloc(1, size == 0 ? 1 : size);
    if (*object == NULL)
        return xdrs->x_op == XDR_FREE;
    const bool_t good = whittle_rpc_apply(routine, xdrs, *object);
    if (xdrs->x_op == XDR_FREE) {
        free(*object);
        *object = NULL;
    }
    return good;
}

bool_t xdr_pointer(XDR *xdrs, char **object, u_int size, xdrproc_t routine)
{
    bool_t there = *object != NULL;
    if (!xdr_bool(xdrs, &there))
        return FALSE;
    if (there)
        return xdr_reference(xdrs, object, size, routine);
    *object = NULL;
    return TRUE;
}

bool_t xdr_union(XDR *xdrs, enum_t *arm, char *value, const struct xdr_discrim *arms, xdrproc_t otherwise)
{
    if (!xdr_enum(xdrs, arm))
        return FALSE;
    for (; arms->proc != NULL_xdrproc_t; arms++)
        if (arms->value == *arm)
            return whittle_rpc_apply(arms->proc, xdrs, value);
    return otherwise != NULL_xdrproc_t && whittle_rpc_apply(otherwise, xdrs, value);
}

void xdr_free(xdrproc_t routine, void *value)
{
    XDR xdrs = {XDR_FREE, NULL, NULL, NULL, NULL, 0, NULL};
    whittle_rpc_apply(routine, &xdrs, value);
}
