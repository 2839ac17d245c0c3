/* SPDX-License-Identifier: MIT-0 */
/*
 * Routines for runs of bytes and items (RFC 4506, sections 4.9 to 4.13). What arrives takes no more memory than about what has
 * arrived; what fails to decode is left as xdr_free can release it.
 */
#include "rpc_shared.h"

/* Memory that is taken on trust. */
enum { WHITTLE_RPC_TRUSTED = 64 * 1024 };

bool_t xdr_opaque(XDR *xdrs, char *bytes, u_int size)
{
    static const char zeros[4] = {0, 0, 0, 0};
    char rest[4];
    const u_int pad = (0 - size) & 3;
    switch (xdrs->x_op) {
    case XDR_ENCODE: return XDR_PUTBYTES(xdrs, bytes, size) && (pad == 0 || XDR_PUTBYTES(xdrs, zeros, pad));
    case XDR_DECODE: return XDR_GETBYTES(xdrs, bytes, size) && (pad == 0 || XDR_GETBYTES(xdrs, rest, pad));
    case XDR_FREE: return TRUE;
    }
    return FALSE;
}

/* Bytes that nobody has storage for yet, and `more` zeros behind them; NULL: they do not come. */
static char *whittle_rpc_bytes_new(XDR *xdrs, u_int size, u_int more)
{
    char rest[4], *bytes = NULL;
    const u_int pad = (0 - size) & 3;
    for (u_int done = 0, room = 0; done < size || bytes == NULL; done = room) {
        const u_int step = room < WHITTLE_RPC_TRUSTED ? (u_int)WHITTLE_RPC_TRUSTED : room;
        room = size - room < step ? size : room + step;
        char *const grown = WHITTLE_XDR_CHARGE(xdrs, room - done) ? (char *)realloc(bytes, (size_t)room + more + 1) : NULL;
        if (grown == NULL || !XDR_GETBYTES(xdrs, grown + done, room - done)) {
            free(grown == NULL ? bytes : grown);
            return NULL;
        }
        bytes = grown;
    }
    if (pad != 0 && !XDR_GETBYTES(xdrs, rest, pad)) {
        free(bytes);
        return NULL;
    }
    memset(bytes + size, 0, more);
    return bytes;
}

static bool_t whittle_rpc_release(char **storage)
{
    free(*storage);
    *storage = NULL;
    return TRUE;
}

bool_t xdr_bytes(XDR *xdrs, char **bytes, u_int *size, u_int most)
{
    if (xdrs->x_op == XDR_FREE)
        return whittle_rpc_release(bytes);
    if (!xdr_u_int(xdrs, size) || *size > most)
        return FALSE;
    if (*size == 0)
        return TRUE;
    if (xdrs->x_op == XDR_DECODE && *bytes == NULL) {
        *bytes = whittle_rpc_bytes_new(xdrs, *size, 0);
        return *bytes != NULL;
    }
    return *bytes != NULL && xdr_opaque(xdrs, *bytes, *size);
}

bool_t xdr_string(XDR *xdrs, char **text, u_int most)
{
    u_int size = 0;
    if (xdrs->x_op == XDR_FREE)
        return whittle_rpc_release(text);
    if (xdrs->x_op == XDR_ENCODE) {
        const size_t length = *text == NULL ? SIZE_MAX : strlen(*text);
        if (length > most)
            return FALSE;
        size = (u_int)length;
    }
    if (!xdr_u_int(xdrs, &size) || size > most)
        return FALSE;
    if (xdrs->x_op == XDR_DECODE && *text == NULL) {
        *text = size == UINT32_MAX ? NULL : whittle_rpc_bytes_new(xdrs, size, 1);
        return *text != NULL;
    }
    if (!xdr_opaque(xdrs, *text, size))
        return FALSE;
    if (xdrs->x_op == XDR_DECODE)
        (*text)[size] = 0;
    return TRUE;
}

bool_t xdr_wrapstring(XDR *xdrs, char **text)
{
    return xdr_string(xdrs, text, UINT32_MAX);
}

bool_t xdr_vector(XDR *xdrs, char *items, u_int count, u_int size, xdrproc_t routine)
{
    for (u_int index = 0; index < count; index++)
        if (!whittle_rpc_apply(routine, xdrs, items + (size_t)index * size))
            return FALSE;
    return TRUE;
}

/* Items that nobody has storage for yet; as many are counted as xdr_free is to look at. */
static bool_t whittle_rpc_items_new(XDR *xdrs, char **items, u_int *count, u_int size, xdrproc_t routine)
{
    const u_int all = *count, trusted = size == 0 || size > WHITTLE_RPC_TRUSTED ? 1 : WHITTLE_RPC_TRUSTED / size;
    u_int room = 0;
    *count = 0;
    while (*count < all) {
        if (*count == room) {
            const u_int step = room < trusted ? trusted : room;
            const u_int more = all - room < step ? all : room + step;
            char *const grown = (size != 0 && more > SIZE_MAX / size) || !WHITTLE_XDR_CHARGE(xdrs, (size_t)(more - room) * size) ? NULL
                : (char *)realloc(*items, (size_t)more * size + 1);
            if (grown == NULL)
                return FALSE;
            memset(grown + (size_t)room * size, 0, (size_t)(more - room) * size);
            *items = grown;
            room = more;
        }
        ++*count;
        if (!whittle_rpc_apply(routine, xdrs, *items + (size_t)(*count - 1) * size))
            return FALSE;
    }
    return TRUE;
}

bool_t xdr_array(XDR *xdrs, char **items, u_int *count, u_int most, u_int size, xdrproc_t routine)
{
    if (xdrs->x_op == XDR_FREE) {
        const bool_t good = *items == NULL || xdr_vector(xdrs, *items, *count, size, routine);
        return whittle_rpc_release(items) && good;
    }
    if (!xdr_u_int(xdrs, count) || *count > most)
        return FALSE;
    if (*count == 0)
        return TRUE;
    if (xdrs->x_op == XDR_DECODE && *items == NULL)
        return whittle_rpc_items_new(xdrs, items, count, size, routine);
    return *items != NULL && xdr_vector(xdrs, *items, *count, size, routine);
}

bool_t xdr_netobj(XDR *xdrs, struct netobj *value)
{
    return xdr_bytes(xdrs, &value->n_bytes, &value->n_len, MAX_NETOBJ_SZ);
}

bool_t xdr_des_block(XDR *xdrs, des_block *value)
{
    return xdr_opaque(xdrs, value->c, sizeof value->c);
}
