/* SPDX-License-Identifier: MIT-0 */
/* XDR streams in memory: x_private is where they stand, x_handy what is left. */
#include "rpc_shared.h"

bool_t whittle_rpc_getlong(XDR *xdrs, long *word)
{
    char bytes[4];
    if (!XDR_GETBYTES(xdrs, bytes, sizeof bytes))
        return FALSE;
    *word = (int32_t)whittle_get32(bytes);
    return TRUE;
}

bool_t whittle_rpc_putlong(XDR *xdrs, const long *word)
{
    char bytes[4];
    whittle_put32(bytes, (uint32_t)*word);
    return XDR_PUTBYTES(xdrs, bytes, sizeof bytes);
}

bool_t whittle_rpc_no_getbytes(XDR *xdrs, char *to, u_int size)
{
    (void)xdrs;
    (void)to;
    (void)size;
    return FALSE;
}

static bool_t whittle_rpc_memory_getbytes(XDR *xdrs, char *to, u_int size)
{
    if (size > xdrs->x_handy)
        return FALSE;
    if (size != 0)
        memcpy(to, xdrs->x_private, size);
    xdrs->x_private = (char *)xdrs->x_private + size;
    xdrs->x_handy -= size;
    return TRUE;
}

static bool_t whittle_rpc_memory_putbytes(XDR *xdrs, const char *from, u_int size)
{
    if (size > xdrs->x_handy)
        return FALSE;
    if (size != 0)
        memcpy(xdrs->x_private, from, size);
    xdrs->x_private = (char *)xdrs->x_private + size;
    xdrs->x_handy -= size;
    return TRUE;
}

static u_int whittle_rpc_memory_getpos(XDR *xdrs)
{
    return (u_int)((char *)xdrs->x_private - xdrs->x_base);
}

static bool_t whittle_rpc_memory_setpos(XDR *xdrs, u_int position)
{
    const size_t all = (size_t)whittle_rpc_memory_getpos(xdrs) + xdrs->x_handy;
    if (position > all)
        return FALSE;
    xdrs->x_private = xdrs->x_base + position;
    xdrs->x_handy = (u_int)(all - position);
    return TRUE;
}

static int32_t *whittle_rpc_memory_inline(XDR *xdrs, u_int size)
{
    char *const at = (char *)xdrs->x_private;
    if (size > xdrs->x_handy || ((uintptr_t)at & 3) != 0)
        return NULL;
    xdrs->x_private = at + size;
    xdrs->x_handy -= size;
    return (int32_t *)(void *)at;
}

void xdrmem_create(XDR *xdrs, char *memory, u_int size, enum xdr_op op)
{
    static const struct xdr_ops operations = {
        whittle_rpc_getlong, whittle_rpc_putlong, whittle_rpc_memory_getbytes, whittle_rpc_memory_putbytes,
        whittle_rpc_memory_getpos, whittle_rpc_memory_setpos, whittle_rpc_memory_inline, NULL, NULL};
    *xdrs = (XDR){op, &operations, NULL, memory, memory, size, NULL};
}

bool_t whittle_rpc_charge(const XDR *xdrs, size_t size)
{
    return xdrs->x_account->take(xdrs->x_account->whose, size);
}
