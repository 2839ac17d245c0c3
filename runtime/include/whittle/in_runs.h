/* SPDX-License-Identifier: MIT-0 */
/*
 * Decoding of runs: text, bytes, words. Where the room is known a count is checked against it before anything is
 * allocated; elsewhere storage grows as the bytes arrive.
 */
#ifndef WHITTLE_IN_RUNS_H
#define WHITTLE_IN_RUNS_H
#include <whittle/in.h>

/*: in_read needs in */
#define WHITTLE_PIECE 8192
/* Reads `bytes` bytes from a stream that is no memory stream; `order` NULL: as they are. */
WHITTLE_APART int whittle_in_read(struct whittle_in *in, void *to, size_t bytes,
                                   void (*order)(void *, const void *, size_t))
{
    char *t = (char *)to;
    while (bytes > 0) {
        const size_t most = order == NULL ? WHITTLE_UINT_MAX / 2 + 1u : WHITTLE_PIECE;
        const size_t piece = bytes < most ? bytes : most;
        const char *const space = order == NULL ? NULL : (const char *)XDR_INLINE(in->xdrs, (u_int)piece);
        if (space == NULL && !XDR_GETBYTES(in->xdrs, t, (u_int)piece))
            return 0;
        if (order != NULL)
            order(t, space == NULL ? t : space, piece);
        t += piece;
        bytes -= piece;
    }
    return 1;
}

/*: in_read_pad needs in */
WHITTLE_SHARED int whittle_in_read_pad(struct whittle_in *in, uint64_t n)
{
    char pad[4];
    return (n & 3) == 0 || XDR_GETBYTES(in->xdrs, pad, 4 - ((u_int)n & 3));
}

/*: in_grow needs arena_grow in slot */
WHITTLE_COLD void *whittle_in_grow(struct whittle_in *in, void *slot, size_t old_size, size_t size)
{
    void *const old = whittle_slot_get(slot);
#ifdef WHITTLE_XDR_CHARGE
    if (!WHITTLE_XDR_CHARGE(in->xdrs, size - old_size))
        return NULL;
#endif
    void *const moved = WHITTLE_ARENA_OF(in) != NULL ? whittle_arena_grow(in->arena, old, old_size, size) : realloc(old, size);
    if (moved != NULL)
        whittle_slot_set(slot, moved);
    return moved;
}

/*: in_counted_slowly needs in_read in_grow in_take */
/*
 * `bytes` bytes, and `more` bytes behind them, into what the caller supplied or into storage that grows as they
 * arrive. Returns where they are.
 */
WHITTLE_COLD char *whittle_in_counted_slowly(struct whittle_in *in, void *slot, uint64_t bytes, size_t more,
                                             void (*order)(void *, const void *, size_t))
{
    char *to = (char *)whittle_slot_get(slot);
    size_t have = 0, room = bytes < WHITTLE_BLOCK ? (size_t)bytes : WHITTLE_BLOCK;
    if (in->memory || bytes > SIZE_MAX - WHITTLE_BLOCK)
        return NULL;
    if (to != NULL)
        return whittle_in_read(in, to, (size_t)bytes, order) ? to : NULL;
    if (bytes <= in->credit) {
        room = (size_t)bytes;
        in->credit -= room;
    }
    to = (char *)whittle_in_take(in, slot, room + more, order == NULL ? 1 : WHITTLE_ALIGNMENT, slot, whittle_release);
    while (to != NULL) {
        if (!whittle_in_read(in, to + have, room - have, order))
            return NULL;
        if (room == bytes)
            return to;
        have = room;
        room = bytes - have < have ? (size_t)bytes : have * 2;
        to = (char *)whittle_in_grow(in, slot, have + more, room + more);
    }
    return NULL;
}

/*: in_text needs in_need in_counted_slowly in_read_pad in_take pad4 */
WHITTLE_COLD const char *whittle_in_text_growing(struct whittle_in *in, char **slot, uint32_t length)
{
    char *const text = whittle_in_counted_slowly(in, slot, length, 1, NULL);
    if (text == NULL)
        return NULL;
    text[length] = 0;
    in->end = in->block;
    return whittle_in_read_pad(in, length) ? in->block : NULL;
}

WHITTLE_SHARED const char *whittle_in_text_there(struct whittle_in *in, const char *at, char **slot, uint32_t length)
{
    char *text = *slot;
    if (text == NULL)
        text = (char *)whittle_in_take(in, slot, (size_t)length + 1, 1, slot, whittle_release);
    if (text == NULL)
        return NULL;
    memcpy(text, at, length);
    text[length] = 0;
    return at + (size_t)whittle_pad4(length);
}

WHITTLE_COLD const char *whittle_in_text_slowly(struct whittle_in *in, const char *at, char **slot, uint32_t length,
                                                size_t more)
{
    const uint64_t room = whittle_pad4(length);
    if (room + more <= WHITTLE_BLOCK) {
        at = whittle_in_need(in, at, (size_t)room + more);
        return at == NULL ? NULL : whittle_in_text_there(in, at, slot, length);
    }
    if (room <= (size_t)(in->end - at) || room <= WHITTLE_BLOCK) {
        at = whittle_in_need(in, at, (size_t)room);
        at = at == NULL ? NULL : whittle_in_text_there(in, at, slot, length);
    } else {
        at = whittle_in_text_growing(in, slot, length);
    }
    return at == NULL ? NULL : whittle_in_need(in, at, more);
}

/*
 * Text whose length word has been read, and `more` bytes to read behind it, more <= WHITTLE_BLOCK: in place for each
 * item of an array, shared by all other places.
 */
WHITTLE_IN_PLACE const char *whittle_in_text_each(struct whittle_in *in, const char *at, char **slot, uint32_t length,
                                                uint32_t bound, size_t more)
{
    struct whittle_arena *const arena = WHITTLE_ARENA_OF(in);
    char *text;
    if (length > bound)
        return NULL;
    if (!WHITTLE_LIKELY(whittle_pad4(length) + more <= (size_t)(in->end - at)))
        return whittle_in_text_slowly(in, at, slot, length, more);
    if (arena == NULL || *slot != NULL || length >= (size_t)(arena->end - arena->at))
        return whittle_in_text_there(in, at, slot, length);
    text = arena->at;
    arena->at = text + length + 1;
    *slot = text;
    memcpy(text, at, length);
    text[length] = 0;
    return at + (size_t)whittle_pad4(length);
}

WHITTLE_SHARED const char *whittle_in_text_and(struct whittle_in *in, const char *at, char **slot, uint32_t length,
                                               uint32_t bound, size_t more)
{
    return whittle_in_text_each(in, at, slot, length, bound, more);
}

WHITTLE_SHARED const char *whittle_in_text(struct whittle_in *in, const char *at, char **slot, uint32_t length,
                                           uint32_t bound)
{
    return whittle_in_text_and(in, at, slot, length, bound, 0);
}

/*: in_bytes needs in_need in_read in_read_pad pad4 */
WHITTLE_COLD const char *whittle_in_bytes_slowly(struct whittle_in *in, void *to, size_t n)
{
    in->end = in->block;
    return !in->memory && whittle_in_read(in, to, n, NULL) && whittle_in_read_pad(in, n) ? in->block : NULL;
}

/* Bytes and their padding into existing storage. */
WHITTLE_SHARED const char *whittle_in_bytes(struct whittle_in *in, const char *at, void *to, size_t n)
{
    const uint64_t room = whittle_pad4(n);
    if (!WHITTLE_LIKELY(room <= (size_t)(in->end - at))) {
        if (room > WHITTLE_BLOCK)
            return whittle_in_bytes_slowly(in, to, n);
        at = whittle_in_more(in, (size_t)room);
        if (at == NULL)
            return NULL;
    }
    memcpy(to, at, n);
    return at + (size_t)room;
}

/*: in_counted_bytes needs in_need in_counted_slowly in_read_pad in_take pad4 */
WHITTLE_COLD const char *whittle_in_counted_bytes_slowly(struct whittle_in *in, void *slot, uint32_t count)
{
    in->end = in->block;
    return whittle_in_counted_slowly(in, slot, count, 0, NULL) && whittle_in_read_pad(in, count) ? in->block : NULL;
}

/* Bytes whose count has been read (and held against its bound). */
WHITTLE_SHARED const char *whittle_in_counted_bytes(struct whittle_in *in, const char *at, void *slot, uint32_t count)
{
    const uint64_t room = whittle_pad4(count);
    void *bytes;
    if (count == 0)
        return at;
    if (!WHITTLE_LIKELY(room <= (size_t)(in->end - at))) {
        if (room > WHITTLE_BLOCK)
            return whittle_in_counted_bytes_slowly(in, slot, count);
        at = whittle_in_more(in, (size_t)room);
        if (at == NULL)
            return NULL;
    }
    bytes = whittle_slot_get(slot);
    if (bytes == NULL)
        bytes = whittle_in_take(in, slot, count, 1, slot, whittle_release);
    if (bytes == NULL)
        return NULL;
    memcpy(bytes, at, count);
    return at + (size_t)room;
}

/*: in_order32 needs in_need in_read order32_long */
WHITTLE_COLD const char *whittle_in_order32_slowly(struct whittle_in *in, void *to, size_t count)
{
    in->end = in->block;
    return !in->memory && whittle_in_read(in, to, count * 4, whittle_order32_long) ? in->block : NULL;
}

/* A run of four-byte words into existing storage. */
WHITTLE_SHARED const char *whittle_in_order32(struct whittle_in *in, const char *at, void *to, size_t count)
{
    if (!WHITTLE_LIKELY(count <= (size_t)(in->end - at) / 4)) {
        if (count > WHITTLE_BLOCK / 4)
            return whittle_in_order32_slowly(in, to, count);
        at = whittle_in_more(in, count * 4);
        if (at == NULL)
            return NULL;
    }
    whittle_order32_long(to, at, count * 4);
    return at + count * 4;
}

/*: in_order64 needs in_need in_read order64_long */
WHITTLE_COLD const char *whittle_in_order64_slowly(struct whittle_in *in, void *to, size_t count)
{
    in->end = in->block;
    return !in->memory && whittle_in_read(in, to, count * 8, whittle_order64_long) ? in->block : NULL;
}

/* A run of eight-byte words into existing storage. */
WHITTLE_SHARED const char *whittle_in_order64(struct whittle_in *in, const char *at, void *to, size_t count)
{
    if (!WHITTLE_LIKELY(count <= (size_t)(in->end - at) / 8)) {
        if (count > WHITTLE_BLOCK / 8)
            return whittle_in_order64_slowly(in, to, count);
        at = whittle_in_more(in, count * 8);
        if (at == NULL)
            return NULL;
    }
    whittle_order64_long(to, at, count * 8);
    return at + count * 8;
}

/*: in_counted_order32 needs in_need in_counted_slowly in_take order32_long */
WHITTLE_COLD const char *whittle_in_counted_order32_slowly(struct whittle_in *in, void *slot, uint64_t bytes)
{
    in->end = in->block;
    return whittle_in_counted_slowly(in, slot, bytes, 0, whittle_order32_long) ? in->block : NULL;
}

/* `count` items of `words` four-byte words each; the count has been read and held against its bound. */
WHITTLE_SHARED const char *whittle_in_counted_order32(struct whittle_in *in, const char *at, void *slot,
                                                      uint32_t count, size_t words)
{
    const uint64_t bytes = (uint64_t)count * words * 4;
    void *items;
    if (count == 0)
        return at;
    if (!WHITTLE_LIKELY(bytes <= (size_t)(in->end - at))) {
        if (bytes > WHITTLE_BLOCK)
            return whittle_in_counted_order32_slowly(in, slot, bytes);
        at = whittle_in_more(in, (size_t)bytes);
        if (at == NULL)
            return NULL;
    }
    items = whittle_slot_get(slot);
    if (items == NULL)
        items = whittle_in_take(in, slot, (size_t)bytes, WHITTLE_ALIGNMENT, slot, whittle_release);
    if (items == NULL)
        return NULL;
    whittle_order32_long(items, at, (size_t)bytes);
    return at + (size_t)bytes;
}

/*: in_counted_order64 needs in_need in_counted_slowly in_take order64_long */
WHITTLE_COLD const char *whittle_in_counted_order64_slowly(struct whittle_in *in, void *slot, uint64_t bytes)
{
    in->end = in->block;
    return whittle_in_counted_slowly(in, slot, bytes, 0, whittle_order64_long) ? in->block : NULL;
}

/* `count` items of `words` eight-byte words each; the count has been read and held against its bound. */
WHITTLE_SHARED const char *whittle_in_counted_order64(struct whittle_in *in, const char *at, void *slot,
                                                      uint32_t count, size_t words)
{
    const uint64_t bytes = (uint64_t)count * words * 8;
    void *items;
    if (count == 0)
        return at;
    if (!WHITTLE_LIKELY(bytes <= (size_t)(in->end - at))) {
        if (bytes > WHITTLE_BLOCK)
            return whittle_in_counted_order64_slowly(in, slot, bytes);
        at = whittle_in_more(in, (size_t)bytes);
        if (at == NULL)
            return NULL;
    }
    items = whittle_slot_get(slot);
    if (items == NULL)
        items = whittle_in_take(in, slot, (size_t)bytes, WHITTLE_ALIGNMENT, slot, whittle_release);
    if (items == NULL)
        return NULL;
    whittle_order64_long(items, at, (size_t)bytes);
    return at + (size_t)bytes;
}

/*: end_of_in_runs */
#endif
