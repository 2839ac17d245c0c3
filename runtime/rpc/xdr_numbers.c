/* SPDX-License-Identifier: MIT-0 */
/* Routines for numbers (RFC 4506, sections 4.1 to 4.8). */
#include "rpc_shared.h"

static bool_t whittle_rpc_word(XDR *xdrs, uint32_t *word)
{
    long wide = (int32_t)*word;
    switch (xdrs->x_op) {
    case XDR_ENCODE: return XDR_PUTLONG(xdrs, &wide);
    case XDR_DECODE:
        if (!XDR_GETLONG(xdrs, &wide))
            return FALSE;
        *word = (uint32_t)wide;
        return TRUE;
    case XDR_FREE: return TRUE;
    }
    return FALSE;
}

static bool_t whittle_rpc_words(XDR *xdrs, uint64_t *words)
{
    uint32_t high = (uint32_t)(*words >> 32), low = (uint32_t)*words;
    const bool_t good = whittle_rpc_word(xdrs, &high) && whittle_rpc_word(xdrs, &low);
    if (good && xdrs->x_op == XDR_DECODE)
        *words = (uint64_t)high << 32 | low;
    return good;
}

/* Of a type that a word holds. What is wider is cut. */
#define WHITTLE_RPC_NUMBER(routine, type)                                       \
    bool_t routine(XDR *xdrs, type *value)                                      \
    {                                                                           \
        uint32_t word = xdrs->x_op == XDR_ENCODE ? (uint32_t)*value : 0;        \
        const bool_t good = whittle_rpc_word(xdrs, &word);                      \
        if (good && xdrs->x_op == XDR_DECODE)                                   \
            *value = (type)(int32_t)word;                                       \
        return good;                                                            \
    }
WHITTLE_RPC_NUMBER(xdr_enum, enum_t)
WHITTLE_RPC_NUMBER(xdr_char, char)
WHITTLE_RPC_NUMBER(xdr_u_char, u_char)
WHITTLE_RPC_NUMBER(xdr_short, short)
WHITTLE_RPC_NUMBER(xdr_u_short, u_short)
WHITTLE_RPC_NUMBER(xdr_int, int)
WHITTLE_RPC_NUMBER(xdr_u_int, u_int)
WHITTLE_RPC_NUMBER(xdr_long, long)
WHITTLE_RPC_NUMBER(xdr_int8_t, int8_t)
WHITTLE_RPC_NUMBER(xdr_uint8_t, uint8_t)
WHITTLE_RPC_NUMBER(xdr_int16_t, int16_t)
WHITTLE_RPC_NUMBER(xdr_uint16_t, uint16_t)
WHITTLE_RPC_NUMBER(xdr_int32_t, int32_t)
WHITTLE_RPC_NUMBER(xdr_uint32_t, uint32_t)

bool_t xdr_u_long(XDR *xdrs, u_long *value)
{
    uint32_t word = xdrs->x_op == XDR_ENCODE ? (uint32_t)*value : 0;
    const bool_t good = whittle_rpc_word(xdrs, &word);
    if (good && xdrs->x_op == XDR_DECODE)
        *value = word;
    return good;
}

bool_t xdr_bool(XDR *xdrs, bool_t *value)
{
    uint32_t word = xdrs->x_op == XDR_ENCODE && *value != FALSE;
    const bool_t good = whittle_rpc_word(xdrs, &word);
    if (good && xdrs->x_op == XDR_DECODE)
        *value = word != 0;
    return good;
}

#define WHITTLE_RPC_WIDE_NUMBER(routine, type)                                  \
    bool_t routine(XDR *xdrs, type *value)                                      \
    {                                                                           \
        uint64_t words = xdrs->x_op == XDR_ENCODE ? (uint64_t)*value : 0;       \
        const bool_t good = whittle_rpc_words(xdrs, &words);                    \
        if (good && xdrs->x_op == XDR_DECODE)                                   \
            *value = (type)words;                                               \
        return good;                                                            \
    }
WHITTLE_RPC_WIDE_NUMBER(xdr_int64_t, int64_t)
WHITTLE_RPC_WIDE_NUMBER(xdr_uint64_t, uint64_t)
WHITTLE_RPC_WIDE_NUMBER(xdr_quad_t, quad_t)
WHITTLE_RPC_WIDE_NUMBER(xdr_u_quad_t, u_quad_t)
WHITTLE_RPC_WIDE_NUMBER(xdr_hyper, quad_t)
WHITTLE_RPC_WIDE_NUMBER(xdr_u_hyper, u_quad_t)
WHITTLE_RPC_WIDE_NUMBER(xdr_longlong_t, quad_t)
WHITTLE_RPC_WIDE_NUMBER(xdr_u_longlong_t, u_quad_t)

bool_t xdr_float(XDR *xdrs, float *value)
{
    uint32_t word = 0;
    if (xdrs->x_op == XDR_ENCODE)
        memcpy(&word, value, sizeof word);
    const bool_t good = whittle_rpc_word(xdrs, &word);
    if (good && xdrs->x_op == XDR_DECODE)
        memcpy(value, &word, sizeof word);
    return good;
}

bool_t xdr_double(XDR *xdrs, double *value)
{
    uint64_t words = 0;
    if (xdrs->x_op == XDR_ENCODE)
        memcpy(&words, value, sizeof words);
    const bool_t good = whittle_rpc_words(xdrs, &words);
    if (good && xdrs->x_op == XDR_DECODE)
        memcpy(value, &words, sizeof words);
    return good;
}

bool_t xdr_void(void)
{
    return TRUE;
}
