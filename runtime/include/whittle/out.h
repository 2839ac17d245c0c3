/* SPDX-License-Identifier: MIT-0 */
/*
 * Encoding. Generated code holds a cursor `at` in a register, gives it to each routine and gets the new one back; NULL
 * is failure. What is written lands in a window that ends at out->end: on a memory stream the rest of its buffer, on
 * any other stream a block that is flushed when full.
 */
#ifndef WHITTLE_OUT_H
#define WHITTLE_OUT_H
#include <whittle/memory.h>
#include <whittle/order.h>

/*: out needs attributes */
#ifndef WHITTLE_BLOCK
#define WHITTLE_BLOCK 3584    /* with all that is beside it on the stack less than 4,096 */
#endif
struct whittle_out {
    XDR *xdrs;
    char *end;      /* of the window */
    int memory;    /* the window is the stream's own; otherwise it is the block */
    char block[WHITTLE_BLOCK];
};

/*: out_resume needs out */
WHITTLE_IN_PLACE char *whittle_out_resume(struct whittle_out *out)
{
    if (WHITTLE_LIKELY(out->memory)) {
        char *const at = (char *)out->xdrs->x_private;
        out->end = at + out->xdrs->x_handy;
        return at;
    }
    out->end = out->block + WHITTLE_BLOCK;
    return out->block;
}

/*: out_begin needs out_resume is_memory */
WHITTLE_IN_PLACE char *whittle_out_begin(struct whittle_out *out, XDR *xdrs)
{
    out->xdrs = xdrs;
    out->memory = whittle_is_memory(xdrs);
    return whittle_out_resume(out);
}

/*: out_flush needs out */
WHITTLE_APART int whittle_out_flush(struct whittle_out *out, const char *at)
{
    return at == out->block || XDR_PUTBYTES(out->xdrs, out->block, (u_int)(at - out->block));
}

/*: out_pause needs out_flush */
/* Hands the stream to another routine; out_resume takes it back. */
WHITTLE_IN_PLACE int whittle_out_pause(struct whittle_out *out, char *at)
{
    if (WHITTLE_LIKELY(out->memory)) {
        out->xdrs->x_private = at;
        out->xdrs->x_handy = (u_int)(out->end - at);
        return 1;
    }
    return whittle_out_flush(out, at);
}

/*: out_end needs out_pause */
WHITTLE_IN_PLACE bool_t whittle_out_end(struct whittle_out *out, char *at)
{
    return at != NULL && whittle_out_pause(out, at);
}

/*: out_need needs out_flush */
WHITTLE_COLD char *whittle_out_more(struct whittle_out *out, const char *at)
{
    return !out->memory && whittle_out_flush(out, at) ? out->block : NULL;
}

/* Room for n bytes, n <= WHITTLE_BLOCK. */
WHITTLE_IN_PLACE char *whittle_out_need(struct whittle_out *out, char *at, size_t n)
{
    return WHITTLE_LIKELY((size_t)(out->end - at) >= n) ? at : whittle_out_more(out, at);
}

/*: out_bytes needs out_need pad4 */
WHITTLE_COLD char *whittle_out_long_bytes(struct whittle_out *out, const char *at, const void *bytes, size_t n)
{
    static char zeros[4] = {0, 0, 0, 0};
    const char *from = (const char *)bytes;
    const size_t pad = (size_t)(0 - n) & 3;
    if (out->memory || !whittle_out_flush(out, at))
        return NULL;
    if (n <= WHITTLE_BLOCK - 4) {
        memset(out->block + n, 0, 4);
        memcpy(out->block, from, n);
        return out->block + n + pad;
    }
    while (n > 0) {
        const size_t piece = n <= WHITTLE_UINT_MAX / 2 ? n : WHITTLE_UINT_MAX / 2 + 1u;
        if (!XDR_PUTBYTES(out->xdrs, (char *)(uintptr_t)from, (u_int)piece))
            return NULL;
        from += piece;
        n -= piece;
    }
    return pad == 0 || XDR_PUTBYTES(out->xdrs, zeros, (u_int)pad) ? out->block : NULL;
}

/* Bytes and zero padding, of any length. */
WHITTLE_SHARED char *whittle_out_bytes(struct whittle_out *out, char *at, const void *bytes, size_t n)
{
    const uint64_t room = whittle_pad4(n);
    if (n == 0)
        return at;
    if (bytes == NULL)
        return NULL;
    if (WHITTLE_LIKELY(room <= (size_t)(out->end - at))) {
        memset(at + (size_t)room - 4, 0, 4);
        memcpy(at, bytes, n);
        return at + (size_t)room;
    }
    return whittle_out_long_bytes(out, at, bytes, n);
}

/*: out_text needs out_bytes put32 */
WHITTLE_COLD char *whittle_out_text_slowly(struct whittle_out *out, char *at, const char *text, size_t n, size_t more)
{
    at = whittle_out_need(out, at, 4);
    if (at == NULL)
        return NULL;
    whittle_put32(at, (uint32_t)n);
    at = whittle_out_bytes(out, at + 4, text, n);
    return at == NULL ? NULL : whittle_out_need(out, at, more);
}

/*
 * Length, text and zero padding, and room for `more` bytes behind them, more <= WHITTLE_BLOCK: in place for each item of
 * an array, shared by all other places.
 */
WHITTLE_IN_PLACE char *whittle_out_text_each(struct whittle_out *out, char *at, const char *text, uint32_t bound,
                                           size_t more)
{
    uint64_t room;
    size_t n;
    if (text == NULL)
        return NULL;
    n = strlen(text);
    if (n > bound)
        return NULL;
    room = whittle_pad4(n);
    if (!WHITTLE_LIKELY(room + 4 + more <= (size_t)(out->end - at)))
        return whittle_out_text_slowly(out, at, text, n, more);
    memset(at + (size_t)room, 0, 4);
    whittle_put32(at, (uint32_t)n);
    memcpy(at + 4, text, n);
    return at + 4 + (size_t)room;
}

WHITTLE_SHARED char *whittle_out_text_and(struct whittle_out *out, char *at, const char *text, uint32_t bound,
                                          size_t more)
{
    return whittle_out_text_each(out, at, text, bound, more);
}

WHITTLE_SHARED char *whittle_out_text(struct whittle_out *out, char *at, const char *text, uint32_t bound)
{
    return whittle_out_text_and(out, at, text, bound, 0);
}

/*: out_pieces needs out_flush */
/*
 * A long run on a stream that is no memory stream: as much as the stream lets us write in place, the rest by blocks.
 * Always a multiple of eight bytes but for the last piece, as WHITTLE_BLOCK is.
 */
WHITTLE_COLD char *whittle_out_pieces(struct whittle_out *out, const char *at, const char *from, uint64_t bytes,
                                      void (*order)(void *, const void *, size_t))
{
    char *all;
    if (out->memory || !whittle_out_flush(out, at))
        return NULL;
    all = bytes <= WHITTLE_UINT_MAX ? (char *)XDR_INLINE(out->xdrs, (u_int)bytes) : NULL;
    if (all != NULL) {
        order(all, from, (size_t)bytes);
        return out->block;
    }
    while (bytes > WHITTLE_BLOCK) {
        char *const space = (char *)XDR_INLINE(out->xdrs, WHITTLE_BLOCK);
        order(space != NULL ? space : out->block, from, WHITTLE_BLOCK);
        if (space == NULL && !XDR_PUTBYTES(out->xdrs, out->block, WHITTLE_BLOCK))
            return NULL;
        from += WHITTLE_BLOCK;
        bytes -= WHITTLE_BLOCK;
    }
    order(out->block, from, (size_t)bytes);
    return out->block + bytes;
}

/*: out_order32 needs out_pieces order32_long */
WHITTLE_COLD char *whittle_out_long_order32(struct whittle_out *out, char *at, const void *words, size_t count)
{
    return whittle_out_pieces(out, at, (const char *)words, (uint64_t)count * 4, whittle_order32_long);
}

/* Words of four bytes, any number. */
WHITTLE_SHARED char *whittle_out_order32(struct whittle_out *out, char *at, const void *words, size_t count)
{
    if (count == 0)
        return at;
    if (words == NULL)
        return NULL;
    if (WHITTLE_LIKELY(count <= (size_t)(out->end - at) / 4)) {
        whittle_order32_long(at, words, count * 4);
        return at + count * 4;
    }
    return whittle_out_long_order32(out, at, words, count);
}

/*: out_order64 needs out_pieces order64_long */
WHITTLE_COLD char *whittle_out_long_order64(struct whittle_out *out, char *at, const void *words, size_t count)
{
    return whittle_out_pieces(out, at, (const char *)words, (uint64_t)count * 8, whittle_order64_long);
}

/* Words of eight bytes, any number. */
WHITTLE_SHARED char *whittle_out_order64(struct whittle_out *out, char *at, const void *words, size_t count)
{
    if (count == 0)
        return at;
    if (words == NULL)
        return NULL;
    if (WHITTLE_LIKELY(count <= (size_t)(out->end - at) / 8)) {
        whittle_order64_long(at, words, count * 8);
        return at + count * 8;
    }
    return whittle_out_long_order64(out, at, words, count);
}

/*: end_of_out */
#endif
