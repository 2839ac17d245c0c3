/* SPDX-License-Identifier: MIT-0 */
/*
 * Packets of flows, encoded: values written to memory that is all there, with no stream behind it. The sections have the
 * names of those for streams (out.h), so that the same generated code calls either; a file holds one kind. A cursor `at`
 * goes through; NULL is failure, and nothing is written beyond `end`.
 */
#ifndef WHITTLE_PACKET_OUT_H
#define WHITTLE_PACKET_OUT_H
#include <whittle/order.h>

/*: padded needs bool attributes */
/* Bytes with their padding, in 64 bits, so that no length wraps. */
WHITTLE_INLINE uint64_t whittle_padded(uint64_t n, bool host)
{
    return host ? n : (n + 3) & ~(uint64_t)3;
}

/*: out needs bool attributes */
struct whittle_out {
    const char *end;
    bool host;      /* words in the machine's order, nothing padded; else XDR */
};

/*: out_need needs out */
WHITTLE_INLINE char *whittle_out_need(const struct whittle_out *out, char *at, size_t n)
{
    return WHITTLE_LIKELY((size_t)(out->end - at) >= n) ? at : NULL;
}

/*: out_bytes needs out padded */
WHITTLE_SHARED char *whittle_out_bytes(const struct whittle_out *out, char *at, const void *bytes, size_t n)
{
    const uint64_t room = whittle_padded(n, out->host);
    if (n == 0)
        return at;
    if (bytes == NULL || room > (size_t)(out->end - at))
        return NULL;
    memset(at + n, 0, (size_t)room - n);
    memcpy(at, bytes, n);
    return at + (size_t)room;
}

/*: out_length needs out_bytes out_need put32 put32_host */
/* Length, text and padding, and room for `more` bytes behind them. */
WHITTLE_SHARED char *whittle_out_length(const struct whittle_out *out, char *at, const char *text, size_t n, size_t more)
{
    at = whittle_out_need(out, at, 4);
    if (at == NULL)
        return NULL;
    if (out->host)
        whittle_put32_host(at, (uint32_t)n);
    else
        whittle_put32(at, (uint32_t)n);
    at = whittle_out_bytes(out, at + 4, text, n);
    return at == NULL ? NULL : whittle_out_need(out, at, more);
}

/*: out_text needs out_length */
WHITTLE_SHARED char *whittle_out_text_and(const struct whittle_out *out, char *at, const char *text, uint32_t bound,
                                          size_t more)
{
    if (text == NULL)
        return NULL;
    const size_t n = strlen(text);
    return n > bound ? NULL : whittle_out_length(out, at, text, n, more);
}

WHITTLE_INLINE char *whittle_out_text_each(const struct whittle_out *out, char *at, const char *text, uint32_t bound,
                                           size_t more)
{
    return whittle_out_text_and(out, at, text, bound, more);
}

WHITTLE_INLINE char *whittle_out_text(const struct whittle_out *out, char *at, const char *text, uint32_t bound)
{
    return whittle_out_text_and(out, at, text, bound, 0);
}

/*: out_inline_text needs out_length */
/* A text in an array of bound + 1 bytes; one without an end is at fault. */
WHITTLE_SHARED char *whittle_out_inline_text_and(const struct whittle_out *out, char *at, const char *text,
                                                 uint32_t bound, size_t more)
{
    const char *const end = (const char *)memchr(text, 0, (size_t)bound + 1);
    return end == NULL ? NULL : whittle_out_length(out, at, text, (size_t)(end - text), more);
}

WHITTLE_INLINE char *whittle_out_inline_text_each(const struct whittle_out *out, char *at, const char *text,
                                                  uint32_t bound, size_t more)
{
    return whittle_out_inline_text_and(out, at, text, bound, more);
}

WHITTLE_INLINE char *whittle_out_inline_text(const struct whittle_out *out, char *at, const char *text, uint32_t bound)
{
    return whittle_out_inline_text_and(out, at, text, bound, 0);
}

/*: out_order8 needs out */
WHITTLE_SHARED char *whittle_out_order8(const struct whittle_out *out, char *at, const void *bytes, size_t count)
{
    if (count == 0)
        return at;
    if (bytes == NULL || count > (size_t)(out->end - at))
        return NULL;
    memcpy(at, bytes, count);
    return at + count;
}

/*: out_order32 needs out order32_long */
WHITTLE_SHARED char *whittle_out_order32(const struct whittle_out *out, char *at, const void *words, size_t count)
{
    if (count == 0)
        return at;
    if (words == NULL || count > (size_t)(out->end - at) / 4)
        return NULL;
    whittle_order32_long(at, words, count * 4);
    return at + count * 4;
}

/*: out_order64 needs out order64_long */
WHITTLE_SHARED char *whittle_out_order64(const struct whittle_out *out, char *at, const void *words, size_t count)
{
    if (count == 0)
        return at;
    if (words == NULL || count > (size_t)(out->end - at) / 8)
        return NULL;
    whittle_order64_long(at, words, count * 8);
    return at + count * 8;
}

/*: write needs out */
/* A packet; how many bytes it takes, 0 where it is at fault or there is no room. */
WHITTLE_IN_PLACE size_t whittle_write(const void *packet, uint8_t *at, size_t room, bool host,
                                      char *(*encode)(struct whittle_out *, char *, const void *))
{
    struct whittle_out out = {(const char *)at + room, host};
    const char *const end = encode(&out, (char *)at, packet);
    return end == NULL ? 0 : (size_t)(end - (const char *)at);
}

/*: end_of_packet_out */
#endif
