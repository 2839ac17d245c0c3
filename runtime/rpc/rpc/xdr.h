/* SPDX-License-Identifier: MIT-0 */
/* XDR (RFC 4506): streams, and routines that encode, decode or release a value, as the stream's x_op says. */
#ifndef WHITTLE_RPC_XDR_H
#define WHITTLE_RPC_XDR_H
#include "types.h"
#include <arpa/inet.h>
#include <stdbool.h>
#include <stdio.h>
#ifdef __cplusplus
extern "C" {
#endif

enum xdr_op { XDR_ENCODE = 0, XDR_DECODE = 1, XDR_FREE = 2 };
#define BYTES_PER_XDR_UNIT 4
#define RNDUP(size) (((size) + BYTES_PER_XDR_UNIT - 1) / BYTES_PER_XDR_UNIT * BYTES_PER_XDR_UNIT)

typedef struct XDR XDR;
/* Not inside of the other, whose scope it would have in C++. */
struct xdr_ops {
    bool_t (*x_getlong)(XDR *, long *);
    bool_t (*x_putlong)(XDR *, const long *);
    bool_t (*x_getbytes)(XDR *, char *, u_int);
    bool_t (*x_putbytes)(XDR *, const char *, u_int);
    u_int (*x_getpostn)(XDR *);
    bool_t (*x_setpostn)(XDR *, u_int);
    int32_t *(*x_inline)(XDR *, u_int);     /* NULL: not here; they go one by one */
    void (*x_destroy)(XDR *);
    bool_t (*x_control)(XDR *, int, void *);
};
struct XDR {
    enum xdr_op x_op;
    const struct xdr_ops *x_ops;
    char *x_public;             /* the user's */
    void *x_private;            /* of memory streams: the position */
    char *x_base;
    u_int x_handy;              /* of memory streams: the room left */
    const struct whittle_rpc_account *x_account;    /* of what decoded values may take; NULL: as much as there is */
};
/* A block of so many bytes is to be taken for a decoded value; false: it may not. */
bool_t whittle_rpc_charge(const XDR *xdrs, size_t size);
#define WHITTLE_XDR_CHARGE(xdrs, size) ((xdrs)->x_account == NULL || whittle_rpc_charge(xdrs, size))
/* The second argument is a pointer to the value. */
typedef bool_t (*xdrproc_t)(XDR *, ...);
#define NULL_xdrproc_t ((xdrproc_t)0)

#define XDR_GETLONG(xdrs, word) (*(xdrs)->x_ops->x_getlong)(xdrs, word)
#define XDR_PUTLONG(xdrs, word) (*(xdrs)->x_ops->x_putlong)(xdrs, word)
#define XDR_GETBYTES(xdrs, at, size) (*(xdrs)->x_ops->x_getbytes)(xdrs, at, size)
#define XDR_PUTBYTES(xdrs, at, size) (*(xdrs)->x_ops->x_putbytes)(xdrs, at, size)
#define XDR_GETPOS(xdrs) (*(xdrs)->x_ops->x_getpostn)(xdrs)
#define XDR_SETPOS(xdrs, position) (*(xdrs)->x_ops->x_setpostn)(xdrs, position)
#define XDR_INLINE(xdrs, size) (*(xdrs)->x_ops->x_inline)(xdrs, size)
#define XDR_DESTROY(xdrs) ((xdrs)->x_ops->x_destroy != NULL ? (*(xdrs)->x_ops->x_destroy)(xdrs) : (void)0)
#define XDR_CONTROL(xdrs, what, with) \
    ((xdrs)->x_ops->x_control != NULL ? (*(xdrs)->x_ops->x_control)(xdrs, what, with) : FALSE)
#define xdr_getlong XDR_GETLONG
#define xdr_putlong XDR_PUTLONG
#define xdr_getbytes XDR_GETBYTES
#define xdr_putbytes XDR_PUTBYTES
#define xdr_getpos XDR_GETPOS
#define xdr_setpos XDR_SETPOS
#define xdr_inline XDR_INLINE
#define xdr_destroy XDR_DESTROY
#define xdr_control XDR_CONTROL

static inline bool_t XDR_GETINT32(XDR *xdrs, int32_t *word)
{
    long wide;
    const bool_t good = XDR_GETLONG(xdrs, &wide);
    if (good)
        *word = (int32_t)wide;
    return good;
}

static inline bool_t XDR_PUTINT32(XDR *xdrs, const int32_t *word)
{
    const long wide = *word;
    return XDR_PUTLONG(xdrs, &wide);
}

/* Words where XDR_INLINE gave room, or lent it; `at` moves on. */
#define IXDR_GET_INT32(at) ((int32_t)ntohl((uint32_t)*(at)++))
#define IXDR_GET_U_INT32(at) ((uint32_t)IXDR_GET_INT32(at))
#define IXDR_PUT_INT32(at, word) (*(at)++ = (int32_t)htonl((uint32_t)(word)))
#define IXDR_PUT_U_INT32(at, word) IXDR_PUT_INT32(at, word)
#define IXDR_GET_LONG(at) ((long)IXDR_GET_INT32(at))
#define IXDR_PUT_LONG(at, word) ((long)IXDR_PUT_INT32(at, word))
#define IXDR_GET_U_LONG(at) ((u_long)IXDR_GET_U_INT32(at))
#define IXDR_PUT_U_LONG(at, word) IXDR_PUT_INT32(at, word)
#define IXDR_GET_BOOL(at) ((bool_t)IXDR_GET_INT32(at))
#define IXDR_PUT_BOOL(at, word) IXDR_PUT_INT32(at, word)
#define IXDR_GET_ENUM(at, type) ((type)IXDR_GET_INT32(at))
#define IXDR_PUT_ENUM(at, word) IXDR_PUT_INT32(at, word)
#define IXDR_GET_SHORT(at) ((short)IXDR_GET_INT32(at))
#define IXDR_PUT_SHORT(at, word) IXDR_PUT_INT32(at, word)
#define IXDR_GET_U_SHORT(at) ((u_short)IXDR_GET_INT32(at))
#define IXDR_PUT_U_SHORT(at, word) IXDR_PUT_INT32(at, word)

/* Streams in memory, and over stdio's. */
void xdrmem_create(XDR *xdrs, char *memory, u_int size, enum xdr_op op);
void xdrstdio_create(XDR *xdrs, FILE *file, enum xdr_op op);
/* Releases what decoding allocated behind the value. */
void xdr_free(xdrproc_t routine, void *value);
/* Bytes of the value's XDR; 0: it cannot be encoded. */
unsigned long xdr_sizeof(xdrproc_t routine, void *value);

bool_t xdr_void(void);
bool_t xdr_bool(XDR *xdrs, bool_t *value);
bool_t xdr_enum(XDR *xdrs, enum_t *value);
bool_t xdr_char(XDR *xdrs, char *value);
bool_t xdr_u_char(XDR *xdrs, u_char *value);
bool_t xdr_short(XDR *xdrs, short *value);
bool_t xdr_u_short(XDR *xdrs, u_short *value);
bool_t xdr_int(XDR *xdrs, int *value);
bool_t xdr_u_int(XDR *xdrs, u_int *value);
bool_t xdr_long(XDR *xdrs, long *value);
bool_t xdr_u_long(XDR *xdrs, u_long *value);
bool_t xdr_int8_t(XDR *xdrs, int8_t *value);
bool_t xdr_uint8_t(XDR *xdrs, uint8_t *value);
bool_t xdr_int16_t(XDR *xdrs, int16_t *value);
bool_t xdr_uint16_t(XDR *xdrs, uint16_t *value);
bool_t xdr_int32_t(XDR *xdrs, int32_t *value);
bool_t xdr_uint32_t(XDR *xdrs, uint32_t *value);
bool_t xdr_int64_t(XDR *xdrs, int64_t *value);
bool_t xdr_uint64_t(XDR *xdrs, uint64_t *value);
bool_t xdr_quad_t(XDR *xdrs, quad_t *value);
bool_t xdr_u_quad_t(XDR *xdrs, u_quad_t *value);
bool_t xdr_hyper(XDR *xdrs, quad_t *value);
bool_t xdr_u_hyper(XDR *xdrs, u_quad_t *value);
bool_t xdr_longlong_t(XDR *xdrs, quad_t *value);
bool_t xdr_u_longlong_t(XDR *xdrs, u_quad_t *value);
#define xdr_u_int8_t xdr_uint8_t
#define xdr_u_int16_t xdr_uint16_t
#define xdr_u_int32_t xdr_uint32_t
#define xdr_u_int64_t xdr_uint64_t
#define xdr_rpcprog xdr_uint32_t
#define xdr_rpcvers xdr_uint32_t
#define xdr_rpcproc xdr_uint32_t
#define xdr_rpcprot xdr_uint32_t
#define xdr_rpcport xdr_uint32_t
bool_t xdr_float(XDR *xdrs, float *value);
bool_t xdr_double(XDR *xdrs, double *value);

/* Runs. Decoding fills storage that is there, and allocates what is not. */
bool_t xdr_opaque(XDR *xdrs, char *bytes, u_int size);
bool_t xdr_bytes(XDR *xdrs, char **bytes, u_int *size, u_int most);
bool_t xdr_string(XDR *xdrs, char **text, u_int most);
bool_t xdr_wrapstring(XDR *xdrs, char **text);
bool_t xdr_array(XDR *xdrs, char **items, u_int *count, u_int most, u_int size, xdrproc_t routine);
bool_t xdr_vector(XDR *xdrs, char *items, u_int count, u_int size, xdrproc_t routine);
bool_t xdr_reference(XDR *xdrs, char **object, u_int size, xdrproc_t routine);
bool_t xdr_pointer(XDR *xdrs, char **object, u_int size, xdrproc_t routine);

struct xdr_discrim {
    int value;
    xdrproc_t proc;             /* the last one's is NULL */
};
bool_t xdr_union(XDR *xdrs, enum_t *arm, char *value, const struct xdr_discrim *arms, xdrproc_t otherwise);

#define MAX_NETOBJ_SZ 1024
struct netobj {
    u_int n_len;
    char *n_bytes;
};
typedef struct netobj netobj;
bool_t xdr_netobj(XDR *xdrs, struct netobj *value);
/* Interface files leave it to the headers. */
union des_block {
    struct { uint32_t high, low; } key;
    char c[8];
};
typedef union des_block des_block;
bool_t xdr_des_block(XDR *xdrs, des_block *value);
#ifdef __cplusplus
}
#endif
#endif
