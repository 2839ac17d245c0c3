/*
 * What the generated stubs and skeletons of flick.idl marshal with, one function for each workload and direction: of CORBA's style, or, with
 * -DPLAIN, of the plain one, whose names have a prefix, so that both are in one program.
 */
#ifndef CODEC_H
#define CODEC_H
#include "flick.h"
#ifdef PLAIN
#include "whittle_iiop_stubs.h"
#define CODEC(name) plain_##name
#define T(name) struct plain_flick_##name
#define STUB(what, name) what##_whittle_plain_flick_Sink_put_##name
#define PACK(name) struct whittle_plain_flick_Sink_put_##name
#define COUNT(value) (value).length
#define ITEMS(value) (value).items
#else
#include "whittle_giop.h"
#define CODEC(name) name
#define T(name) flick_##name
#define STUB(what, name) what##_whittle_flick_Sink_put_##name
#define PACK(name) struct whittle_flick_Sink_put_##name
#define COUNT(value) (value)._length
#define ITEMS(value) (value)._buffer
#endif

/* `swapped`: the message is in the other byte order. */
char *CODEC(put_ints)(struct whittle_cdr_out *out, char *at, const T(Ints) *items, bool swapped);
char *CODEC(put_rects)(struct whittle_cdr_out *out, char *at, const T(Rects) *items, bool swapped);
char *CODEC(put_dirents)(struct whittle_cdr_out *out, char *at, const T(Dirents) *items, bool swapped);
/* Into a zeroed value. */
const char *CODEC(get_ints)(struct whittle_cdr_in *in, const char *at, T(Ints) *items, bool swapped);
const char *CODEC(get_rects)(struct whittle_cdr_in *in, const char *at, T(Rects) *items, bool swapped);
const char *CODEC(get_dirents)(struct whittle_cdr_in *in, const char *at, T(Dirents) *items, bool swapped);

#endif
