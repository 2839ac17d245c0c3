/* SPDX-License-Identifier: MIT-0 */
/* XDR streams over stdio's, and those that only count. */
#include "rpc_shared.h"

static bool_t whittle_rpc_file_getbytes(XDR *xdrs, char *to, u_int size)
{
    return size == 0 || fread(to, size, 1, (FILE *)xdrs->x_private) == 1;
}

static bool_t whittle_rpc_file_putbytes(XDR *xdrs, const char *from, u_int size)
{
    return size == 0 || fwrite(from, size, 1, (FILE *)xdrs->x_private) == 1;
}

static u_int whittle_rpc_file_getpos(XDR *xdrs)
{
    return (u_int)ftell((FILE *)xdrs->x_private);
}

static bool_t whittle_rpc_file_setpos(XDR *xdrs, u_int position)
{
    return fseek((FILE *)xdrs->x_private, (long)position, SEEK_SET) == 0;
}

static int32_t *whittle_rpc_no_inline(XDR *xdrs, u_int size)
{
    (void)xdrs;
    (void)size;
    return NULL;
}

/* The file stays open; what was written goes out. */
static void whittle_rpc_file_destroy(XDR *xdrs)
{
    fflush((FILE *)xdrs->x_private);
}

void xdrstdio_create(XDR *xdrs, FILE *file, enum xdr_op op)
{
    static const struct xdr_ops operations = {
        whittle_rpc_getlong, whittle_rpc_putlong, whittle_rpc_file_getbytes, whittle_rpc_file_putbytes,
        whittle_rpc_file_getpos, whittle_rpc_file_setpos, whittle_rpc_no_inline, whittle_rpc_file_destroy, NULL};
    *xdrs = (XDR){op, &operations, NULL, file, NULL, 0, NULL};
}

static bool_t whittle_rpc_count_bytes(XDR *xdrs, const char *from, u_int size)
{
    (void)from;
    *(unsigned long *)xdrs->x_private += size;
    return TRUE;
}

static u_int whittle_rpc_count_getpos(XDR *xdrs)
{
    return (u_int)*(unsigned long *)xdrs->x_private;
}

static bool_t whittle_rpc_count_setpos(XDR *xdrs, u_int position)
{
    (void)xdrs;
    (void)position;
    return FALSE;
}

unsigned long xdr_sizeof(xdrproc_t routine, void *value)
{
    static const struct xdr_ops operations = {
        whittle_rpc_getlong, whittle_rpc_putlong, whittle_rpc_no_getbytes, whittle_rpc_count_bytes,
        whittle_rpc_count_getpos, whittle_rpc_count_setpos, whittle_rpc_no_inline, NULL, NULL};
    unsigned long size = 0;
    XDR xdrs = {XDR_ENCODE, &operations, NULL, &size, NULL, 0, NULL};
    return whittle_rpc_apply(routine, &xdrs, value) ? size : 0;
}
