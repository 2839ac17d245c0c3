/* SPDX-License-Identifier: MIT-0 */
/*
 * XDR streams into messages, which grow, and from them. A message that has room for the value is a stream in memory, which routines
 * write straight; the others are written by pieces, and the next one of the kind finds room.
 */
#include "rpc_shared.h"

/* What x_private of a growing stream points at. */
struct whittle_rpc_growing {
    struct whittle_xdr_out *out;
    char *at;
    size_t begun;               /* where the value begins in the message */
};

/* Room for so many bytes; where it begins. */
static char *whittle_rpc_grow(XDR *xdrs, u_int size)
{
    struct whittle_rpc_growing *const growing = (struct whittle_rpc_growing *)xdrs->x_private;
    char *const at = whittle_xdr_out_need(growing->out, growing->at, size);
    if (at == NULL)
        return NULL;
    growing->at = at + size;
    return at;
}

static bool_t whittle_rpc_growing_putbytes(XDR *xdrs, const char *from, u_int size)
{
    char *const at = whittle_rpc_grow(xdrs, size);
    if (at != NULL && size != 0)
        memcpy(at, from, size);
    return at != NULL;
}

static u_int whittle_rpc_growing_getpos(XDR *xdrs)
{
    const struct whittle_rpc_growing *const growing = (const struct whittle_rpc_growing *)xdrs->x_private;
    return (u_int)((size_t)(growing->at - growing->out->base) - growing->begun);
}

/* Back to what was written already. */
static bool_t whittle_rpc_growing_setpos(XDR *xdrs, u_int position)
{
    struct whittle_rpc_growing *const growing = (struct whittle_rpc_growing *)xdrs->x_private;
    if (position > (size_t)(growing->out->end - growing->out->base) - growing->begun)
        return FALSE;
    growing->at = growing->out->base + growing->begun + position;
    return TRUE;
}

static int32_t *whittle_rpc_growing_inline(XDR *xdrs, u_int size)
{
    return (int32_t *)(void *)whittle_rpc_grow(xdrs, size);
}

__attribute__((cold, noinline)) static char *whittle_rpc_write_growing(struct whittle_xdr_out *out, char *at, xdrproc_t routine, void *value)
{
    static const struct xdr_ops operations = {
        whittle_rpc_getlong, whittle_rpc_putlong, whittle_rpc_no_getbytes, whittle_rpc_growing_putbytes,
        whittle_rpc_growing_getpos, whittle_rpc_growing_setpos, whittle_rpc_growing_inline, NULL, NULL};
    struct whittle_rpc_growing growing = {out, at, (size_t)(at - out->base)};
    XDR xdrs = {XDR_ENCODE, &operations, NULL, &growing, NULL, 0, NULL};
    return whittle_rpc_apply(routine, &xdrs, value) ? growing.at : NULL;
}

char *whittle_rpc_write(struct whittle_xdr_out *out, char *at, xdrproc_t routine, void *value, size_t *usual)
{
    const size_t likely = usual == NULL ? 0 : __atomic_load_n(usual, __ATOMIC_RELAXED);
    XDR xdrs;
    if (at != NULL && likely > (size_t)(out->end - at))
        at = whittle_xdr_out_need(out, at, likely);
    if (at == NULL)
        return NULL;
    const size_t room = (size_t)(out->end - at), begun = (size_t)(at - out->base);
    xdrmem_create(&xdrs, at, room > INT32_MAX ? INT32_MAX : (u_int)room, XDR_ENCODE);
    char *end = whittle_rpc_apply(routine, &xdrs, value) ? (char *)xdrs.x_private : whittle_rpc_write_growing(out, at, routine, value);
    const size_t size = end == NULL ? 0 : (size_t)(end - out->base) - begun;
    if (usual != NULL && size > likely)
        __atomic_store_n(usual, size, __ATOMIC_RELAXED);
    return end;
}

bool whittle_rpc_read(const char *at, const char *end, const struct whittle_rpc_account *account, xdrproc_t routine, void *value)
{
    XDR xdrs;
    xdrmem_create(&xdrs, (char *)(uintptr_t)at, (u_int)(end - at), XDR_DECODE);
    xdrs.x_account = account;
    return whittle_rpc_apply(routine, &xdrs, value);
}
