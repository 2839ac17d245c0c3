/* SPDX-License-Identifier: MIT-0 */
/*
 * CDR (CORBA 3.3 part 2, section 9.3), encoded: values written to memory that may grow. A cursor `at` goes through; NULL is
 * failure. What is aligned is the position in the message, which is `at - base`; memory has any alignment. Padding is zero.
 */
#ifndef WHITTLE_CDR_OUT_H
#define WHITTLE_CDR_OUT_H
#include <whittle/cdr_order.h>

/*: cdr_out needs bool attributes */
struct whittle_cdr_out {
    char *base;         /* position 0 of the message */
    const char *end;    /* of the room that there is */
    /* Makes room for `more` bytes behind `at`, moves base and end, returns where `at` is now; NULL: there is no more. */
    char *(*grow)(struct whittle_cdr_out *out, char *at, size_t more);
    /*
     * Of many bytes that are to stand at `at` and stay where they are until the message is sent: how many it takes from there, a
     * multiple of 8, so that positions keep their alignment; the rest is copied. NULL: all are.
     */
    size_t (*refer)(struct whittle_cdr_out *out, const char *at, const void *bytes, size_t n);
    unsigned depth;     /* of values in each other, which lists are not */
    /* cdr_value.h: */
    unsigned level;     /* of values in chunks; 0: in none */
    size_t chunk;       /* where the last one begins */
};

/*: cdr_out_enter needs cdr_out */
#ifndef WHITTLE_MAX_DEPTH
#define WHITTLE_MAX_DEPTH 1000
#endif
/* Around the routine of a recursive type. Nobody could decode what is deeper, and what leads back to itself has no end. */
WHITTLE_INLINE bool whittle_cdr_out_enter(struct whittle_cdr_out *out)
{
    return out->depth++ < WHITTLE_MAX_DEPTH;
}

WHITTLE_INLINE void whittle_cdr_out_leave(struct whittle_cdr_out *out)
{
    out->depth--;
}

/*: cdr_out_need needs cdr_out */
WHITTLE_COLD char *whittle_cdr_out_more(struct whittle_cdr_out *out, char *at, size_t n)
{
    return out->grow == NULL ? NULL : out->grow(out, at, n);
}

/* Room for n bytes. */
WHITTLE_INLINE char *whittle_cdr_out_need(struct whittle_cdr_out *out, char *at, size_t n)
{
    return WHITTLE_LIKELY((size_t)(out->end - at) >= n) ? at : whittle_cdr_out_more(out, at, n);
}

/*: cdr_out_align needs cdr_out_need */
/* On to a position that is a multiple of `to` (1, 2, 4, 8), and room for `more` bytes there. */
WHITTLE_INLINE char *whittle_cdr_out_align_and(struct whittle_cdr_out *out, char *at, size_t to, size_t more)
{
    size_t pad = (size_t)(out->base - at) & (to - 1);
    at = whittle_cdr_out_need(out, at, pad + more);
    if (at == NULL)
        return NULL;
    for (; pad > 0; pad--)
        *at++ = 0;
    return at;
}

WHITTLE_INLINE char *whittle_cdr_out_align(struct whittle_cdr_out *out, char *at, size_t to)
{
    return whittle_cdr_out_align_and(out, at, to, 0);
}

/*: cdr_out_order8 needs cdr_out_need copy */
#define WHITTLE_MANY 32768  /* bytes that are not copied where that can be */
/* Many bytes, more than there is room for, or none. */
WHITTLE_COLD char *whittle_cdr_out_many(struct whittle_cdr_out *out, char *at, const void *bytes, size_t n)
{
    if (n == 0)
        return at;
    if (n >= WHITTLE_MANY && out->refer != NULL && bytes != NULL) {
        const size_t taken = out->refer(out, at, bytes, n);
        bytes = (const char *)bytes + taken;
        n -= taken;
    }
    at = bytes == NULL ? NULL : whittle_cdr_out_need(out, at, n);
    if (at == NULL)
        return NULL;
    whittle_copy(at, bytes, n);
    return at + n;
}

/* Bytes as they are. */
WHITTLE_SHARED char *whittle_cdr_out_order8(struct whittle_cdr_out *out, char *at, const void *bytes, size_t n)
{
    if (n >= WHITTLE_MANY || n > (size_t)(out->end - at) || bytes == NULL)
        return whittle_cdr_out_many(out, at, bytes, n);
    whittle_copy(at, bytes, n);
    return at + n;
}

/*: cdr_out_bytes needs cdr_out_order8 */
/* CDR pads no bytes. */
WHITTLE_INLINE char *whittle_cdr_out_bytes(struct whittle_cdr_out *out, char *at, const void *bytes, size_t n)
{
    return whittle_cdr_out_order8(out, at, bytes, n);
}

/*: cdr_out_bytes_and needs cdr_out_order8 cdr_out_align */
/*
 * Bytes, then on to a multiple of `to`, and room for `more` bytes there: one check for all of it, of no more than is written, since the
 * caller's memory may end there.
 */
WHITTLE_SHARED char *whittle_cdr_out_bytes_and(struct whittle_cdr_out *out, char *at, const void *bytes, size_t n, size_t to,
                                               size_t more)
{
    size_t pad = ((size_t)(out->base - at) - n) & (to - 1);
    if (n >= WHITTLE_MANY || n + pad + more > (size_t)(out->end - at) || bytes == NULL) {
        at = whittle_cdr_out_many(out, at, bytes, n);
        return at == NULL ? NULL : whittle_cdr_out_align_and(out, at, to, more);
    }
    whittle_copy(at, bytes, n);
    at += n;
    for (; pad > 0; pad--)
        *at++ = 0;
    return at;
}

/*: cdr_out_length needs cdr_out_need */
/* Length and text, then on to a multiple of `to`, and room for `more` bytes there: one check for all of it. */
WHITTLE_IN_PLACE char *whittle_cdr_out_length(struct whittle_cdr_out *out, char *at, const char *text, size_t n,
                                              uint32_t length, size_t to, size_t more)
{
    size_t pad = (size_t)(out->base - at - 5 - (ptrdiff_t)n) & (to - 1);
    at = whittle_cdr_out_need(out, at, n + 5 + pad + more);
    if (at == NULL)
        return NULL;
    memcpy(at, &length, 4);
    memcpy(at + 4, text, n);
    at += n + 4;
    *at++ = 0;
    for (; pad > 0; pad--)
        *at++ = 0;
    return at;
}

/*: cdr_out_texts needs cdr_out_length cdr_order32 */
/*
 * A text; ORDER puts its length, NUL and all, into the message's byte order. In place for each item of an array, shared by all
 * other places.
 */
#define WHITTLE_CDR_OUT_TEXT(ENDING, ORDER)                                                                            \
    WHITTLE_IN_PLACE char *whittle_cdr_out_text##ENDING##_each(struct whittle_cdr_out *out, char *at, const char *text, \
                                                               uint32_t bound, size_t to, size_t more)                 \
    {                                                                                                                  \
        if (text == NULL)                                                                                              \
            return NULL;                                                                                               \
        const size_t n = strlen(text);                                                                                 \
        if (n > bound || n >= UINT32_MAX)                                                                              \
            return NULL;                                                                                               \
        return whittle_cdr_out_length(out, at, text, n, ORDER((uint32_t)n + 1), to, more);                             \
    }                                                                                                                  \
    WHITTLE_SHARED char *whittle_cdr_out_text##ENDING(struct whittle_cdr_out *out, char *at, const char *text,         \
                                                      uint32_t bound, size_t to, size_t more)                          \
    {                                                                                                                  \
        return whittle_cdr_out_text##ENDING##_each(out, at, text, bound, to, more);                                    \
    }
/* A text in an array of bound + 1 bytes; one without an end is at fault. */
#define WHITTLE_CDR_OUT_INLINE_TEXT(ENDING, ORDER)                                                                     \
    WHITTLE_SHARED char *whittle_cdr_out_inline_text##ENDING(struct whittle_cdr_out *out, char *at, const char *text,  \
                                                             uint32_t bound, size_t to, size_t more)                   \
    {                                                                                                                  \
        const char *const end = (const char *)memchr(text, 0, (size_t)bound + 1);                                      \
        if (end == NULL)                                                                                               \
            return NULL;                                                                                               \
        const size_t n = (size_t)(end - text);                                                                         \
        return whittle_cdr_out_length(out, at, text, n, ORDER((uint32_t)n + 1), to, more);                             \
    }

/* A text with its length beside it; a zero among its bytes is at fault. */
#define WHITTLE_CDR_OUT_COUNTED_TEXT(ENDING, ORDER)                                                                    \
    WHITTLE_SHARED char *whittle_cdr_out_counted_text##ENDING(struct whittle_cdr_out *out, char *at, const char *text,  \
                                                              uint32_t n, uint32_t bound, size_t to, size_t more)      \
    {                                                                                                                  \
        if (n > bound || n == UINT32_MAX || (n != 0 && (text == NULL || memchr(text, 0, n) != NULL)))                  \
            return NULL;                                                                                               \
        return whittle_cdr_out_length(out, at, n == 0 ? "" : text, n, ORDER(n + 1), to, more);                         \
    }

/*: cdr_out_text needs cdr_out_texts */
WHITTLE_CDR_OUT_TEXT(, whittle_cdr_network32)
/*: cdr_out_text_host needs cdr_out_texts */
WHITTLE_CDR_OUT_TEXT(_host, whittle_cdr_host32)
/*: cdr_out_text_swapped needs cdr_out_texts */
WHITTLE_CDR_OUT_TEXT(_swapped, whittle_cdr_swapped32)
/*: cdr_out_counted_text needs cdr_out_texts */
WHITTLE_CDR_OUT_COUNTED_TEXT(, whittle_cdr_network32)
/*: cdr_out_counted_text_host needs cdr_out_texts */
WHITTLE_CDR_OUT_COUNTED_TEXT(_host, whittle_cdr_host32)
/*: cdr_out_counted_text_swapped needs cdr_out_texts */
WHITTLE_CDR_OUT_COUNTED_TEXT(_swapped, whittle_cdr_swapped32)
/*: cdr_out_inline_text needs cdr_out_texts */
WHITTLE_CDR_OUT_INLINE_TEXT(, whittle_cdr_network32)
/*: cdr_out_inline_text_host needs cdr_out_texts */
WHITTLE_CDR_OUT_INLINE_TEXT(_host, whittle_cdr_host32)
/*: cdr_out_inline_text_swapped needs cdr_out_texts */
WHITTLE_CDR_OUT_INLINE_TEXT(_swapped, whittle_cdr_swapped32)

/*: cdr_out_run needs cdr_out_need */
/* Words of BYTES bytes each, any number, put into order by ORDER. */
#define WHITTLE_CDR_OUT_RUN(NAME, BYTES, ORDER)                                                                        \
    WHITTLE_SHARED char *whittle_cdr_out_##NAME(struct whittle_cdr_out *out, char *at, const void *words, size_t count) \
    {                                                                                                                  \
        if (count == 0)                                                                                                \
            return at;                                                                                                 \
        at = words == NULL || count > SIZE_MAX / BYTES ? NULL : whittle_cdr_out_need(out, at, count * BYTES);          \
        if (at == NULL)                                                                                                \
            return NULL;                                                                                               \
        ORDER(at, words, count * BYTES);                                                                               \
        return at + count * BYTES;                                                                                     \
    }

/*: cdr_out_order16 needs cdr_out_run order16_long */
WHITTLE_CDR_OUT_RUN(order16, 2, whittle_order16_long)
/*: cdr_out_order32 needs cdr_out_run order32_long */
WHITTLE_CDR_OUT_RUN(order32, 4, whittle_order32_long)
/*: cdr_out_order64 needs cdr_out_run order64_long */
WHITTLE_CDR_OUT_RUN(order64, 8, whittle_order64_long)
/*: cdr_out_swapped16 needs cdr_out_run swapped16_long */
WHITTLE_CDR_OUT_RUN(swapped16, 2, whittle_swapped16_long)
/*: cdr_out_swapped32 needs cdr_out_run swapped32_long */
WHITTLE_CDR_OUT_RUN(swapped32, 4, whittle_swapped32_long)
/*: cdr_out_swapped64 needs cdr_out_run swapped64_long */
WHITTLE_CDR_OUT_RUN(swapped64, 8, whittle_swapped64_long)

/*: end_of_cdr_out */
#endif
