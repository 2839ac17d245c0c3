/* SPDX-License-Identifier: MIT-0 */
/* Wire cases under XDR in memory: routines without a stream. */
#ifndef WIRE_XDR_H
#define WIRE_XDR_H
#include "wire.h"
#include <whittle/xdr_in.h>
#include <whittle/xdr_out.h>

struct xdr_routines {
    const char *name;       /* NULL: no more */
    char *(*encode)(struct whittle_xdr_out *, char *, const void *);
    const char *(*decode)(struct whittle_xdr_in *, const char *, void *);
    void (*release)(void *);    /* NULL: values hold nothing */
};

/* The value is read from these bytes, and is encoded to them if they are `written`. */
void xdr_holds(const struct xdr_routines *, const void *value, size_t size_of_value,
               bool (*same)(const void *, const void *), const char *bytes, size_t size, bool written);
void xdr_refused(const struct xdr_routines *, size_t size_of_value, const char *bytes, size_t size);
#endif
