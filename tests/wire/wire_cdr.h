/* SPDX-License-Identifier: MIT-0 */
/* Wire cases under CDR: routines without a stream, in both byte orders. */
#ifndef WIRE_CDR_H
#define WIRE_CDR_H
#include "wire.h"
#include <whittle/cdr_in.h>
#include <whittle/cdr_out.h>

struct cdr_routines {
    const char *name;       /* NULL: no more */
    char *(*encode)(struct whittle_cdr_out *, char *, const void *);
    char *(*encode_swapped)(struct whittle_cdr_out *, char *, const void *);
    const char *(*decode)(struct whittle_cdr_in *, const char *, void *);
    const char *(*decode_swapped)(struct whittle_cdr_in *, const char *, void *);
    void (*release)(void *);    /* NULL: values hold nothing */
    bool managed;               /* storage is released by CORBA_free alone */
};

/* The value is these bytes, and is read from them; `big` says in which order they are. `encodes`: it is written so, too. */
void cdr_holds(const struct cdr_routines *, const void *value, size_t size_of_value,
               bool (*same)(const void *, const void *), bool big, const char *bytes, size_t size, bool encodes);
void cdr_refused(const struct cdr_routines *, size_t size_of_value, bool big, const char *bytes, size_t size);
void CORBA_free(void *);
#endif
