/* What the direct stubs of flick.x marshal with, one function for each workload and direction. NULL: it failed. */
#ifndef CODEC_H
#define CODEC_H
#include "flick.h"
#include "whittle_onc_stubs.h"

char *put_ints(struct whittle_xdr_out *out, char *at, const struct intseq *items);
char *put_rects(struct whittle_xdr_out *out, char *at, const struct rectseq *items);
char *put_dirents(struct whittle_xdr_out *out, char *at, const struct direntseq *items);
/* Into a zeroed value. */
const char *get_ints(struct whittle_xdr_in *in, const char *at, struct intseq *items);
const char *get_rects(struct whittle_xdr_in *in, const char *at, struct rectseq *items);
const char *get_dirents(struct whittle_xdr_in *in, const char *at, struct direntseq *items);

#endif
