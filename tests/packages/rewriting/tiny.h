/* A library in place of libtirpc, for what recipes rewrite: memory alone, and no operations of streams. */
#ifndef TINY_H
#define TINY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define TRUE 1
#define FALSE 0
#define BYTES_PER_ZDR_UNIT 4
#define ZDR_INLINE(...) NULL
#define IZDR_PUT_U_LONG(...) ((void)0)
#define IZDR_GET_U_LONG(...) 0
#define IZDR_PUT_LONG(...) ((void)0)
#define IZDR_GET_LONG(...) 0
#define IZDR_PUT_BOOL(...) ((void)0)
#define IZDR_GET_BOOL(...) 0

enum zdr_op { ZDR_ENCODE, ZDR_DECODE };

/* What is decoded lives in the arena. */
typedef struct {
    enum zdr_op x_op;
    char *at, *end;
    char arena[4096];
    size_t used;
} ZDR;

typedef uint32_t enum_t;
typedef uint32_t (*zdrproc_t)(ZDR *, void *, ...);

extern uint32_t zdr_int(ZDR *, int32_t *), zdr_u_int(ZDR *, uint32_t *), zdr_enum(ZDR *, enum_t *);
extern uint32_t zdr_bool(ZDR *, uint32_t *), zdr_uint64_t(ZDR *, uint64_t *), zdr_opaque(ZDR *, char *, uint32_t);
extern uint32_t zdr_string(ZDR *, char **, uint32_t), zdr_bytes(ZDR *, char **, uint32_t *, uint32_t);
extern uint32_t zdr_array(ZDR *, char **, uint32_t *, uint32_t, uint32_t, zdrproc_t);
extern uint32_t zdr_vector(ZDR *, char *, uint32_t, uint32_t, zdrproc_t);
extern uint32_t zdr_pointer(ZDR *, char **, uint32_t, zdrproc_t);

#endif
