/* What the generated stubs and skeletons of flick.idl marshal with, one function for each workload and direction. */
#ifndef CODEC_H
#define CODEC_H
#include "flick.h"
#include "whittle_giop.h"

/* `swapped`: the message is in the other byte order. */
char *put_ints(struct whittle_cdr_out *out, char *at, const flick_Ints *items, bool swapped);
char *put_rects(struct whittle_cdr_out *out, char *at, const flick_Rects *items, bool swapped);
char *put_dirents(struct whittle_cdr_out *out, char *at, const flick_Dirents *items, bool swapped);
/* Into a zeroed value. */
const char *get_ints(struct whittle_cdr_in *in, const char *at, flick_Ints *items, bool swapped);
const char *get_rects(struct whittle_cdr_in *in, const char *at, flick_Rects *items, bool swapped);
const char *get_dirents(struct whittle_cdr_in *in, const char *at, flick_Dirents *items, bool swapped);

#endif
