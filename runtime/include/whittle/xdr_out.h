/* SPDX-License-Identifier: MIT-0 */
/*
 * XDR (RFC 4506), encoded: values written to memory that may grow. A cursor `at` goes through; NULL is failure. Everything
 * is a multiple of four bytes; memory has any alignment. Padding is zero.
 */
#ifndef WHITTLE_XDR_OUT_H
#define WHITTLE_XDR_OUT_H
#include <whittle/wide.h>

/*: xdr_out needs bool attributes */
struct whittle_xdr_out {
    char *base;         /* of the message */
    const char *end;    /* of the room that there is */
    /* Makes room for `more` bytes behind `at`, moves base and end, returns where `at` is now; NULL: there is no more. */
    char *(*grow)(struct whittle_xdr_out *out, char *at, size_t more);
    /*
     * Keeps in mind that these bytes belong at `at`: they stay where they are until the message is sent. false: they are to be
     * copied. NULL: all are.
     */
    bool (*refer)(struct whittle_xdr_out *out, const char *at, const void *bytes, size_t n);
    unsigned depth;     /* of values in each other, which lists are not */
};

#ifndef WHITTLE_XDR_MUCH
#define WHITTLE_XDR_MUCH 32768      /* bytes that are not copied into the message, if need not be */
#endif

/*: xdr_out_enter needs xdr_out */
#ifndef WHITTLE_MAX_DEPTH
#define WHITTLE_MAX_DEPTH 1000
#endif
/* Around the routine of a recursive type. Nobody could decode what is deeper, and what leads back to itself has no end. */
WHITTLE_INLINE bool whittle_xdr_out_enter(struct whittle_xdr_out *out)
{
    return out->depth++ < WHITTLE_MAX_DEPTH;
}

WHITTLE_INLINE void whittle_xdr_out_leave(struct whittle_xdr_out *out)
{
    out->depth--;
}

/*: xdr_out_need needs xdr_out */
WHITTLE_COLD char *whittle_xdr_out_more(struct whittle_xdr_out *out, char *at, size_t n)
{
    return out->grow == NULL ? NULL : out->grow(out, at, n);
}

/* Room for n bytes. */
WHITTLE_INLINE char *whittle_xdr_out_need(struct whittle_xdr_out *out, char *at, size_t n)
{
    return WHITTLE_LIKELY((size_t)(out->end - at) >= n) ? at : whittle_xdr_out_more(out, at, n);
}

/*: xdr_out_bytes needs xdr_out_need copy */
/* Bytes and zero padding. */
WHITTLE_SHARED char *whittle_xdr_out_bytes(struct whittle_xdr_out *out, char *at, const void *bytes, size_t n)
{
    if (n >= WHITTLE_XDR_MUCH && out->refer != NULL && bytes != NULL && out->refer(out, at, bytes, n & ~(size_t)3)) {
        bytes = (const char *)bytes + (n & ~(size_t)3);
        n &= 3;
    }
    if (n == 0)
        return at;
    const size_t room = (n + 3) & ~(size_t)3;
    at = bytes == NULL || room < n ? NULL : whittle_xdr_out_need(out, at, room);
    if (at == NULL)
        return NULL;
    memset(at + room - 4, 0, 4);
    whittle_copy(at, bytes, n);
    return at + room;
}

/*: xdr_out_bytes_wide needs xdr_out_bytes wide_text */
WHITTLE_APART char *whittle_xdr_out_bytes_and(struct whittle_xdr_out *out, char *at, const void *bytes, size_t n, size_t more)
{
    at = whittle_xdr_out_bytes(out, at, bytes, n);
    return at == NULL ? NULL : whittle_xdr_out_need(out, at, more);
}

/* The same for each item of an array, and room for `more` bytes behind them. */
WHITTLE_EITHER char *whittle_xdr_out_bytes_wide(struct whittle_xdr_out *out, char *at, const void *bytes, size_t n, size_t more,
                                                bool is_wide)
{
    const size_t room = (n + 3) & ~(size_t)3;
    if ((WHITTLE_HAS_WIDE && !is_wide) || n > WHITTLE_COPY_SHORT || n == 0 || bytes == NULL || room + more > (size_t)(out->end - at))
        return whittle_xdr_out_bytes_and(out, at, bytes, n, more);
    memset(at + room - 4, 0, 4);
    whittle_copy_text(at, (const char *)bytes, n, is_wide);
    return at + room;
}

/*: xdr_out_prefixed_bytes needs xdr_out_bytes put32 */
/* And their count. */
WHITTLE_SHARED char *whittle_xdr_out_prefixed_bytes(struct whittle_xdr_out *out, char *at, const void *bytes,
                                                    uint32_t count, uint32_t bound)
{
    at = count > bound ? NULL : whittle_xdr_out_need(out, at, 4);
    if (at == NULL)
        return NULL;
    whittle_put32(at, count);
    return whittle_xdr_out_bytes(out, at + 4, bytes, count);
}

/*: xdr_out_length needs xdr_out_need put32 */
/* A text's length and padding, and room for it and for `more` bytes behind: one check for all of it. Where it belongs. */
WHITTLE_IN_PLACE char *whittle_xdr_out_around(struct whittle_xdr_out *out, char *at, size_t n, size_t more)
{
    const size_t room = (n + 3) & ~(size_t)3;
    at = whittle_xdr_out_need(out, at, 4 + room + more);
    if (at == NULL)
        return NULL;
    memset(at + room, 0, 4);
    whittle_put32(at, (uint32_t)n);
    return at + 4;
}

WHITTLE_IN_PLACE char *whittle_xdr_out_length(struct whittle_xdr_out *out, char *at, const char *text, size_t n, size_t more)
{
    at = whittle_xdr_out_around(out, at, n, more);
    if (at == NULL)
        return NULL;
    memcpy(at, text, n);
    return at + ((n + 3) & ~(size_t)3);
}

/*: xdr_out_text needs xdr_out_length */
/* A text: in place for each item of an array, shared by all other places. */
WHITTLE_IN_PLACE char *whittle_xdr_out_text_each(struct whittle_xdr_out *out, char *at, const char *text, uint32_t bound,
                                                 size_t more)
{
    if (text == NULL)
        return NULL;
    const size_t n = strlen(text);
    return n > bound ? NULL : whittle_xdr_out_length(out, at, text, n, more);
}

WHITTLE_SHARED char *whittle_xdr_out_text_and(struct whittle_xdr_out *out, char *at, const char *text, uint32_t bound,
                                              size_t more)
{
    return whittle_xdr_out_text_each(out, at, text, bound, more);
}

WHITTLE_INLINE char *whittle_xdr_out_text(struct whittle_xdr_out *out, char *at, const char *text, uint32_t bound)
{
    return whittle_xdr_out_text_and(out, at, text, bound, 0);
}

/*: xdr_out_text_wide needs xdr_out_text wide_text */
WHITTLE_EITHER char *whittle_xdr_out_text_wide(struct whittle_xdr_out *out, char *at, const char *text, uint32_t bound,
                                               size_t more, bool is_wide)
{
    if (WHITTLE_HAS_WIDE && !is_wide)
        return whittle_xdr_out_text_and(out, at, text, bound, more);
    if (text == NULL)
        return NULL;
    const size_t n = strlen(text);
    at = n > bound ? NULL : whittle_xdr_out_around(out, at, n, more);
    if (at == NULL)
        return NULL;
    whittle_copy_text(at, text, n, is_wide);
    return at + ((n + 3) & ~(size_t)3);
}

/*: xdr_out_inline_text needs xdr_out_length */
/* A text in an array of bound + 1 bytes; one without an end is at fault. */
WHITTLE_SHARED char *whittle_xdr_out_inline_text_and(struct whittle_xdr_out *out, char *at, const char *text,
                                                     uint32_t bound, size_t more)
{
    const char *const end = (const char *)memchr(text, 0, (size_t)bound + 1);
    return end == NULL ? NULL : whittle_xdr_out_length(out, at, text, (size_t)(end - text), more);
}

WHITTLE_INLINE char *whittle_xdr_out_inline_text_each(struct whittle_xdr_out *out, char *at, const char *text,
                                                      uint32_t bound, size_t more)
{
    return whittle_xdr_out_inline_text_and(out, at, text, bound, more);
}

WHITTLE_INLINE char *whittle_xdr_out_inline_text(struct whittle_xdr_out *out, char *at, const char *text, uint32_t bound)
{
    return whittle_xdr_out_inline_text_and(out, at, text, bound, 0);
}

/*: xdr_out_run needs xdr_out_need */
/* Words of BYTES bytes each, any number, put into order by ORDER. */
#define WHITTLE_XDR_OUT_RUN(NAME, BYTES, ORDER)                                                                        \
    WHITTLE_SHARED char *whittle_xdr_out_##NAME(struct whittle_xdr_out *out, char *at, const void *words, size_t count) \
    {                                                                                                                  \
        if (count == 0)                                                                                                \
            return at;                                                                                                 \
        at = words == NULL || count > SIZE_MAX / BYTES ? NULL : whittle_xdr_out_need(out, at, count * BYTES);          \
        if (at == NULL)                                                                                                \
            return NULL;                                                                                               \
        ORDER(at, words, count * BYTES);                                                                               \
        return at + count * BYTES;                                                                                     \
    }

/*: xdr_out_order32 needs xdr_out_run order32_long */
WHITTLE_XDR_OUT_RUN(order32, 4, whittle_order32_long)
/*: xdr_out_order64 needs xdr_out_run order64_long */
WHITTLE_XDR_OUT_RUN(order64, 8, whittle_order64_long)

/*: xdr_out_prefixed needs xdr_out_need put32 */
/*
 * `count` items of `each` such words, and the count: one check for all of it. What has to be done where there is no room yet
 * stands apart, so that nothing is kept for it where there is.
 */
#define WHITTLE_XDR_OUT_PREFIXED(NAME, BYTES, ORDER)                                                                   \
    WHITTLE_COLD char *whittle_xdr_out_prefixed_##NAME##_more(struct whittle_xdr_out *out, char *at, const void *items, \
                                                              uint32_t count, size_t bytes)                            \
    {                                                                                                                  \
        at = whittle_xdr_out_more(out, at, 4 + bytes);                                                                 \
        if (at == NULL)                                                                                                \
            return NULL;                                                                                               \
        whittle_put32(at, count);                                                                                      \
        return count == 0 ? at + 4 : ORDER(at + 4, items, bytes);                                                      \
    }                                                                                                                  \
                                                                                                                       \
    WHITTLE_INLINE char *whittle_xdr_out_prefixed_##NAME(struct whittle_xdr_out *out, char *at, const void *items,     \
                                                         uint32_t count, uint32_t bound, size_t each)                  \
    {                                                                                                                  \
        const uint64_t bytes = (uint64_t)count * each * BYTES;                                                         \
        if (count > bound || (items == NULL && count > 0) || bytes > SIZE_MAX - 4)                                     \
            return NULL;                                                                                               \
        if (!WHITTLE_LIKELY((size_t)(out->end - at) >= 4 + (size_t)bytes))                                             \
            return whittle_xdr_out_prefixed_##NAME##_more(out, at, items, count, (size_t)bytes);                       \
        whittle_put32(at, count);                                                                                      \
        return count == 0 ? at + 4 : ORDER(at + 4, items, (size_t)bytes);                                              \
    }

/*: xdr_out_prefixed_order32 needs xdr_out_prefixed order32_long */
WHITTLE_XDR_OUT_PREFIXED(order32, 4, whittle_order32_end)
/*: xdr_out_prefixed_order64 needs xdr_out_prefixed order64_long */
WHITTLE_XDR_OUT_PREFIXED(order64, 8, whittle_order64_end)

/*: end_of_xdr_out */
#endif
