/* SPDX-License-Identifier: MIT-0 */
/*
 * What generated code and the ORB call for values that no plan compiles. A cursor goes through; NULL is failure, after
 * which a value that was being read is empty and owns nothing. `swapped`: the message is not in this machine's byte
 * order. Where in->borrow, what was read is released with the message; else it is the caller's, who releases it by
 * whittle_release_….
 */
#ifndef WHITTLE_CORBA_MARSHAL_H
#define WHITTLE_CORBA_MARSHAL_H
#include "basic.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The ORB: where in->borrow, releases `item` with the message; false: no memory, and it is released already. */
bool whittle_cdr_in_later(struct whittle_cdr_in *in, void *item, void (*release)(void *item));
/* The ORB. */
char *whittle_cdr_out_object(struct whittle_cdr_out *out, char *at, const CORBA_Object *value);
const char *whittle_cdr_in_object(struct whittle_cdr_in *in, const char *at, CORBA_Object *value, bool swapped);

char *whittle_cdr_out_typecode(struct whittle_cdr_out *out, char *at, const CORBA_TypeCode *value);
const char *whittle_cdr_in_typecode(struct whittle_cdr_in *in, const char *at, CORBA_TypeCode *value, bool swapped);

char *whittle_cdr_out_any(struct whittle_cdr_out *out, char *at, const CORBA_any *value);
const char *whittle_cdr_in_any(struct whittle_cdr_in *in, const char *at, CORBA_any *value, bool swapped);

/* UTF-16 in the form of GIOP 1.2: octets are counted. `bound`: how many CORBA_wchar there may be, 0: any number. */
char *whittle_cdr_out_wchar(struct whittle_cdr_out *out, char *at, const CORBA_wchar *value);
const char *whittle_cdr_in_wchar(struct whittle_cdr_in *in, const char *at, CORBA_wchar *value, bool swapped);
char *whittle_cdr_out_wstring(struct whittle_cdr_out *out, char *at, CORBA_wchar *const *value, uint32_t bound);
const char *whittle_cdr_in_wstring(struct whittle_cdr_in *in, const char *at, CORBA_wchar **value, uint32_t bound,
                                   bool swapped);

/* A CORBA_fixed_D_S of so many digits, `scale` of them behind the point. */
char *whittle_cdr_out_fixed(struct whittle_cdr_out *out, char *at, const void *value, uint32_t digits, int32_t scale);
const char *whittle_cdr_in_fixed(struct whittle_cdr_in *in, const char *at, void *value, uint32_t digits, int32_t scale,
                                 bool swapped);

/* IEEE binary128 on the wire, whatever the machine's own form. */
char *whittle_cdr_out_long_double(struct whittle_cdr_out *out, char *at, const CORBA_long_double *value);
const char *whittle_cdr_in_long_double(struct whittle_cdr_in *in, const char *at, CORBA_long_double *value,
                                       bool swapped);

#ifdef __cplusplus
}
#endif

#endif
