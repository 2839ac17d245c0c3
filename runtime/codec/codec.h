/* SPDX-License-Identifier: MIT-0 */
/* Values encoded and decoded without a connection: what `--link none` makes returns, and is given. No library is behind it. */
#ifndef WHITTLE_CODEC_H
#define WHITTLE_CODEC_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum whittle_codec_status {
    WHITTLE_CODEC_OK = 0,
    WHITTLE_CODEC_INVALID_VALUE = 1,    /* a value that has no encoding: no text where one must be, a length above its bound */
    WHITTLE_CODEC_NO_ROOM = 2,          /* the buffer is too small */
    WHITTLE_CODEC_MALFORMED = 3,        /* the bytes are no value of the type: too few, too many, or wrong */
    WHITTLE_CODEC_NO_MEMORY = 4,        /* allocation failed, or would have taken more than the limit */
    WHITTLE_CODEC_TOO_DEEP = 5          /* values nest deeper than the limit, or lead back to themselves */
};
/*
 * Of values that are too deep: T_equal is false, unless both are at one address; T_format and T_print write null from there on, and T_print
 * returns false. T_free has no limit: it is for what T_decode and T_copy made, which is never too deep.
 */

/* What decoding may take; 0 stands for the default of each, and NULL in place of the structure for both. */
struct whittle_codec_limits {
    size_t memory;      /* bytes of storage, with 16 for each allocation; by default 64 MiB */
    unsigned depth;     /* levels of types that hold themselves, lists not counted; by default, and at most, 1000 or --max-depth */
};

static inline const char *whittle_codec_text(enum whittle_codec_status status)
{
    switch (status) {
    case WHITTLE_CODEC_OK:
        return "ok";
    case WHITTLE_CODEC_INVALID_VALUE:
        return "the value has no encoding";
    case WHITTLE_CODEC_NO_ROOM:
        return "the buffer is too small";
    case WHITTLE_CODEC_MALFORMED:
        return "the bytes are no value of this type";
    case WHITTLE_CODEC_NO_MEMORY:
        return "not enough memory, or more than the limit";
    case WHITTLE_CODEC_TOO_DEEP:
        return "nested deeper than the limit";
    }
    return "unknown status";
}

#ifdef __cplusplus
}
#endif
#endif
