/* SPDX-License-Identifier: MIT-0 */
/*
 * XDR (RFC 4506), decoded: values read from memory that is all there, and that anybody may have written. A cursor `at` goes
 * through; NULL is failure, and nothing is read beyond `end`. Counts and lengths are held against what is there before
 * anything is allocated; padding is not judged. The root of a value was zeroed by the caller: on failure releasing it lets
 * go of everything. A message that values are borrowed from is ours to write to, and is read once.
 */
#ifndef WHITTLE_XDR_IN_H
#define WHITTLE_XDR_IN_H
#include <whittle/wide.h>

/*: xdr_in needs bool attributes */
struct whittle_xdr_in {
    const char *end;
    size_t owed;        /* bytes promised to the outer arrays' items to come */
    unsigned depth;
    bool borrow;        /* texts, bytes and words stay in the message; storage is released all at once, nothing one by one */
    /*
     * Storage for `count` items of `size` bytes each, zeroed where `release` releases what one item holds. NULL: the
     * heap's, released piece by piece.
     */
    void *(*allocate)(struct whittle_xdr_in *in, size_t size, uint32_t count, void (*release)(void *item));
    size_t spent;       /* bytes allocated for items that take none of the message */
    const char *kept;   /* the last byte of the message to stay as it is: a text before it ends with it */
};

/*: xdr_in_need needs xdr_in */
WHITTLE_INLINE const char *whittle_xdr_in_need(const struct whittle_xdr_in *in, const char *at, size_t n)
{
    return WHITTLE_LIKELY((size_t)(in->end - at) >= n) ? at : NULL;
}

/*: xdr_in_enter needs xdr_in */
#ifndef WHITTLE_MAX_DEPTH
#define WHITTLE_MAX_DEPTH 1000
#endif
/* Around the routine of a recursive type. */
WHITTLE_INLINE bool whittle_xdr_in_enter(struct whittle_xdr_in *in)
{
    return in->depth++ < WHITTLE_MAX_DEPTH;
}

WHITTLE_INLINE void whittle_xdr_in_leave(struct whittle_xdr_in *in)
{
    in->depth--;
}

/*: xdr_in_new needs xdr_in */
/* Storage for a slot, which is a pointer variable of any type. */
WHITTLE_INLINE void *whittle_xdr_in_new(struct whittle_xdr_in *in, void *slot, size_t size, uint32_t count,
                                        void (*release)(void *item))
{
    size += size == 0;  /* GNU C has objects of nothing */
    void *const storage = in->allocate == NULL ? malloc(size * count) : in->allocate(in, size, count, release);
    memcpy(slot, &storage, sizeof storage);
    return storage;
}

/*: xdr_in_point needs xdr_in */
WHITTLE_INLINE void whittle_xdr_in_point(void *slot, const void *to)
{
    memcpy(slot, &to, sizeof to);
}

/*: xdr_in_text_there needs xdr_in pad4 wide */
/* A text, its padding and `more` bytes behind that are there. */
WHITTLE_INLINE const char *whittle_xdr_in_text_there(const struct whittle_xdr_in *in, const char *at, uint32_t length,
                                                     uint32_t bound, size_t more)
{
    const uint64_t room = whittle_pad4(length);
    return length > bound || room + more > (size_t)(in->end - at) ? NULL : at + (size_t)room;
}

/*
 * Copies a text, or only looks at it where `to` is NULL; whether there is no NUL in it. One pass with vectors that every
 * machine of the architecture has, where two calls would take longer. `to` may stand a byte before `from`.
 */
WHITTLE_IN_PLACE bool whittle_xdr_in_whole(char *to, const char *from, size_t n)
{
#if !WHITTLE_FOR_SIZE && (defined(__SSE2__) || defined(__aarch64__))
    typedef unsigned char vector __attribute__((vector_size(16)));
    typedef unsigned char loose __attribute__((vector_size(16), aligned(1), may_alias));
    if (n >= 16 && n <= WHITTLE_COPY_SHORT) {
        const vector last = *(const loose *)(from + n - 16);
        vector nuls = (vector)(last == 0);
        for (size_t i = 0; i + 16 < n; i += 16) {
            const vector some = *(const loose *)(from + i);
            nuls |= (vector)(some == 0);
            if (to != NULL)
                *(loose *)(to + i) = some;
        }
        if (to != NULL)
            *(loose *)(to + n - 16) = last;
        uint64_t bits[2];
        memcpy(bits, &nuls, 16);
        return (bits[0] | bits[1]) == 0;
    }
#endif
    if (memchr(from, 0, n) != NULL)
        return false;
    if (to != NULL)
        memmove(to, from, n);
    return true;
}

/*: xdr_in_text needs xdr_in_text_there xdr_in_new xdr_in_point wide_whole */
/*
 * The text in the message, with a NUL behind it: in its padding; without any, in the first byte of what follows, where that is
 * zero, as it is in small numbers; else a byte further to the front, over the last of its length. NULL: there is a NUL in it.
 */
WHITTLE_INLINE const char *whittle_xdr_in_ended(struct whittle_xdr_in *in, const char *at, uint32_t length)
{
    char *const text = (char *)(uintptr_t)at;
    const bool is_padded = (length & 3) != 0, has_zero = !is_padded && text + length < in->end && text[length] == 0;
    char *const home = is_padded || has_zero ? NULL : text - 1;
    /* The library looks faster than it looks and copies. */
    if (home == NULL ? memchr(at, 0, length) != NULL : !whittle_xdr_in_whole(home, at, length))
        return NULL;
    if (has_zero)
        in->kept = text + length;
    else
        (home == NULL ? text : home)[length] = 0;
    return home == NULL ? text : home;
}

/* One that is no matter of wide vectors. */
WHITTLE_APART bool whittle_xdr_in_whole_apart(char *to, const char *from, size_t n)
{
    return whittle_xdr_in_whole(to, from, n);
}

/* Copies a text, or only looks at it where `to` is NULL, with the vectors that there are. */
WHITTLE_EITHER bool whittle_xdr_in_whole_wide(char *to, const char *from, size_t n, bool is_wide)
{
#if WHITTLE_HAS_WIDE
    if (is_wide && n >= 32 && n <= WHITTLE_COPY_SHORT)
        return whittle_whole_in_wide(to, from, n);
    if (is_wide)
        return whittle_xdr_in_whole_apart(to, from, n);
#endif
    (void)is_wide;
    /* The library looks faster than it looks and copies. */
    return to == NULL ? memchr(from, 0, n) == NULL : whittle_xdr_in_whole(to, from, n);
}

/*
 * What all ways of reading a text do. One that is `open` stays where it is without a NUL behind it, until what follows was read
 * and it is closed.
 */
WHITTLE_EITHER const char *whittle_xdr_in_text_either(struct whittle_xdr_in *in, const char *at, char **slot, uint32_t length,
                                                      uint32_t bound, size_t more, bool is_open, bool is_wide)
{
    const char *const after = whittle_xdr_in_text_there(in, at, length, bound, more);
    if (after == NULL)
        return NULL;
    if (in->borrow) {
        const bool stays = !is_open || whittle_xdr_in_whole_wide(NULL, at, length, is_wide);
        const char *const text = is_open ? at : whittle_xdr_in_ended(in, at, length);
        if (!stays || text == NULL)
            return NULL;
        whittle_xdr_in_point(slot, text);
        return after;
    }
    char *const text = length == UINT32_MAX ? NULL : (char *)whittle_xdr_in_new(in, slot, 1, length + 1, NULL);
    if (text == NULL)
        return NULL;
    text[length] = 0;
    return whittle_xdr_in_whole_wide(text, at, length, is_wide) ? after : NULL;
}

/* In place for each item of an array, shared by all other places. */
#define WHITTLE_XDR_IN_TEXTS(NAME, IS_OPEN)                                                                            \
    WHITTLE_IN_PLACE const char *whittle_xdr_in_##NAME##_each(struct whittle_xdr_in *in, const char *at, char **slot,  \
                                                              uint32_t length, uint32_t bound, size_t more)            \
    {                                                                                                                  \
        return whittle_xdr_in_text_either(in, at, slot, length, bound, more, IS_OPEN, false);                          \
    }                                                                                                                  \
    WHITTLE_SHARED const char *whittle_xdr_in_##NAME##_and(struct whittle_xdr_in *in, const char *at, char **slot,     \
                                                           uint32_t length, uint32_t bound, size_t more)               \
    {                                                                                                                  \
        return whittle_xdr_in_##NAME##_each(in, at, slot, length, bound, more);                                        \
    }
WHITTLE_XDR_IN_TEXTS(text, false)

WHITTLE_INLINE const char *whittle_xdr_in_text(struct whittle_xdr_in *in, const char *at, char **slot, uint32_t length,
                                               uint32_t bound)
{
    return whittle_xdr_in_text_and(in, at, slot, length, bound, 0);
}

/*: xdr_in_open_text needs xdr_in_text */
/* A text whose end is overwritten behind what follows, which is read before: it stays where it is. */
WHITTLE_XDR_IN_TEXTS(open_text, true)

WHITTLE_INLINE void whittle_xdr_in_close_text(struct whittle_xdr_in *in, char *text, uint32_t length)
{
    if (!in->borrow)
        return;
    text[length] = 0;
    if ((length & 3) == 0)
        in->kept = text + length;
}

/*: xdr_in_texts_wide needs xdr_in_text */
/* In a loop that has versions. */
#define WHITTLE_XDR_IN_TEXT_WIDE(NAME, IS_OPEN)                                                                        \
    WHITTLE_EITHER const char *whittle_xdr_in_##NAME##_wide(struct whittle_xdr_in *in, const char *at, char **slot,    \
                                                            uint32_t length, uint32_t bound, size_t more, bool is_wide)\
    {                                                                                                                  \
        if (WHITTLE_HAS_WIDE && !is_wide)                                                                              \
            return whittle_xdr_in_##NAME##_and(in, at, slot, length, bound, more);                                     \
        return whittle_xdr_in_text_either(in, at, slot, length, bound, more, IS_OPEN, is_wide);                        \
    }
/*: xdr_in_text_wide needs xdr_in_texts_wide */
WHITTLE_XDR_IN_TEXT_WIDE(text, false)
/*: xdr_in_open_text_wide needs xdr_in_texts_wide xdr_in_open_text */
WHITTLE_XDR_IN_TEXT_WIDE(open_text, true)

/*: xdr_in_prefixed_text needs xdr_in_text get32 */
/* And its length. */
WHITTLE_SHARED const char *whittle_xdr_in_prefixed_text(struct whittle_xdr_in *in, const char *at, char **slot,
                                                        uint32_t bound, size_t more)
{
    if ((size_t)(in->end - at) < 4)
        return NULL;
    return whittle_xdr_in_text_and(in, at + 4, slot, whittle_get32(at), bound, more);
}

/*: xdr_in_inline_text needs xdr_in_text_there */
/* Into an array of bound + 1 bytes. */
WHITTLE_SHARED const char *whittle_xdr_in_inline_text_and(const struct whittle_xdr_in *in, const char *at, char *text,
                                                          uint32_t length, uint32_t bound, size_t more)
{
    const char *const after = whittle_xdr_in_text_there(in, at, length, bound, more);
    if (after == NULL)
        return NULL;
    text[length] = 0;
    return whittle_xdr_in_whole(text, at, length) ? after : NULL;
}

WHITTLE_INLINE const char *whittle_xdr_in_inline_text_each(const struct whittle_xdr_in *in, const char *at, char *text,
                                                           uint32_t length, uint32_t bound, size_t more)
{
    return whittle_xdr_in_inline_text_and(in, at, text, length, bound, more);
}

WHITTLE_INLINE const char *whittle_xdr_in_inline_text(const struct whittle_xdr_in *in, const char *at, char *text,
                                                      uint32_t length, uint32_t bound)
{
    return whittle_xdr_in_inline_text_and(in, at, text, length, bound, 0);
}

/*: xdr_in_bytes needs xdr_in pad4 copy */
WHITTLE_SHARED const char *whittle_xdr_in_bytes(const struct whittle_xdr_in *in, const char *at, void *to, size_t n)
{
    const uint64_t room = whittle_pad4(n);
    if (room > (size_t)(in->end - at))
        return NULL;
    if (n > 0)
        whittle_copy(to, at, n);
    return at + (size_t)room;
}

/*: xdr_in_counted_bytes needs xdr_in_bytes xdr_in_new xdr_in_point */
WHITTLE_SHARED const char *whittle_xdr_in_counted_bytes(struct whittle_xdr_in *in, const char *at, void *slot,
                                                        uint32_t count)
{
    const uint64_t room = whittle_pad4(count);
    if (room > (size_t)(in->end - at))
        return NULL;
    if (count == 0 || in->borrow) {
        whittle_xdr_in_point(slot, count == 0 ? NULL : at);
        return at + (size_t)room;
    }
    void *const bytes = whittle_xdr_in_new(in, slot, 1, count, NULL);
    return bytes == NULL ? NULL : whittle_xdr_in_bytes(in, at, bytes, count);
}

/*: xdr_in_counted_bytes_wide needs xdr_in_counted_bytes wide_text */
WHITTLE_APART const char *whittle_xdr_in_counted_bytes_apart(struct whittle_xdr_in *in, const char *at, void *slot, uint32_t count)
{
    return whittle_xdr_in_counted_bytes(in, at, slot, count);
}

/* The same for each item of an array. */
WHITTLE_EITHER const char *whittle_xdr_in_counted_bytes_wide(struct whittle_xdr_in *in, const char *at, void *slot,
                                                             uint32_t count, bool is_wide)
{
    const size_t room = ((size_t)count + 3) & ~(size_t)3;
    if ((WHITTLE_HAS_WIDE && !is_wide) || count > WHITTLE_COPY_SHORT || count == 0 || in->borrow || room > (size_t)(in->end - at))
        return whittle_xdr_in_counted_bytes_apart(in, at, slot, count);
    char *const bytes = (char *)whittle_xdr_in_new(in, slot, 1, count, NULL);
    if (bytes == NULL)
        return NULL;
    whittle_copy_text(bytes, at, count, is_wide);
    return at + room;
}

/*: xdr_in_prefixed_bytes needs xdr_in_counted_bytes get32 */
/* And their count. */
WHITTLE_SHARED const char *whittle_xdr_in_prefixed_bytes(struct whittle_xdr_in *in, const char *at, void *slot,
                                                         uint32_t *length, uint32_t bound)
{
    if ((size_t)(in->end - at) < 4)
        return NULL;
    *length = whittle_get32(at);
    return *length > bound ? NULL : whittle_xdr_in_counted_bytes(in, at + 4, slot, *length);
}

/*: xdr_in_runs needs xdr_in_new xdr_in_point */
/*
 * Where words of `size` bytes may stay in the message: where they are, or where their count was, which no text may end
 * with; NULL: they are aligned nowhere.
 */
WHITTLE_INLINE char *whittle_xdr_in_home(const struct whittle_xdr_in *in, const char *at, size_t size)
{
    const size_t over = (uintptr_t)at & (size - 1);
    return over == 0 || (over == 4 && in->kept != at - 4) ? (char *)(uintptr_t)at - over : NULL;
}

/* Words of BYTES bytes each, put into order by ORDER: into storage that is there, that is allocated, or in the message. */
#define WHITTLE_XDR_IN_RUNS(NAME, BYTES, ORDER)                                                                        \
    WHITTLE_SHARED const char *whittle_xdr_in_##NAME(const struct whittle_xdr_in *in, const char *at, void *to,        \
                                                     size_t count)                                                     \
    {                                                                                                                  \
        if (count > (size_t)(in->end - at) / BYTES)                                                                    \
            return NULL;                                                                                               \
        if (count > 0)                                                                                                 \
            ORDER(to, at, count * BYTES);                                                                              \
        return at + count * BYTES;                                                                                     \
    }                                                                                                                  \
    WHITTLE_SHARED const char *whittle_xdr_in_counted_##NAME(struct whittle_xdr_in *in, const char *at, void *slot,    \
                                                             uint32_t count, size_t words)                             \
    {                                                                                                                  \
        const uint64_t bytes = (uint64_t)count * words * BYTES;                                                        \
        if (bytes > (size_t)(in->end - at))                                                                            \
            return NULL;                                                                                               \
        char *const home = count > 0 && in->borrow ? whittle_xdr_in_home(in, at, BYTES) : NULL;                        \
        if (count == 0 || home != NULL)                                                                                \
            whittle_xdr_in_point(slot, home);                                                                          \
        if (count == 0)                                                                                                \
            return at;                                                                                                 \
        void *const items = home != NULL ? home : whittle_xdr_in_new(in, slot, words * BYTES, count, NULL);            \
        if (items == NULL)                                                                                             \
            return NULL;                                                                                               \
        if (WHITTLE_BIG_ENDIAN && home != NULL && home != at)                                                          \
            memmove(home, at, (size_t)bytes);                                                                          \
        else                                                                                                           \
            ORDER(items, at, (size_t)bytes);                                                                           \
        return at + (size_t)bytes;                                                                                     \
    }

/*: xdr_in_order32 needs xdr_in_runs order32_long */
WHITTLE_XDR_IN_RUNS(order32, 4, whittle_order32_long)
/*: xdr_in_order64 needs xdr_in_runs order64_long */
WHITTLE_XDR_IN_RUNS(order64, 8, whittle_order64_long)
/*: xdr_in_counted_order32 needs xdr_in_order32 */
/*: xdr_in_counted_order64 needs xdr_in_order64 */

/*: xdr_in_prefixed needs get32 */
/* And their count. */
#define WHITTLE_XDR_IN_PREFIXED(NAME)                                                                                  \
    WHITTLE_SHARED const char *whittle_xdr_in_prefixed_##NAME(struct whittle_xdr_in *in, const char *at, void *slot,   \
                                                              uint32_t *length, uint32_t bound, size_t words)          \
    {                                                                                                                  \
        if ((size_t)(in->end - at) < 4)                                                                                \
            return NULL;                                                                                               \
        *length = whittle_get32(at);                                                                                   \
        return *length > bound ? NULL : whittle_xdr_in_counted_##NAME(in, at + 4, slot, *length, words);               \
    }

/*: xdr_in_prefixed_order32 needs xdr_in_prefixed xdr_in_order32 */
WHITTLE_XDR_IN_PREFIXED(order32)
/*: xdr_in_prefixed_order64 needs xdr_in_prefixed xdr_in_order64 */
WHITTLE_XDR_IN_PREFIXED(order64)

/*: xdr_in_array needs xdr_in_new xdr_in_point */
#ifndef WHITTLE_CREDIT
#define WHITTLE_CREDIT 32768    /* bytes allocated in all for items that take none of the message */
#endif
/* The items of an array of `count` > 0; `least` is the fewest bytes that an item takes in the message. */
WHITTLE_SHARED void *whittle_xdr_in_array(struct whittle_xdr_in *in, const char *at, void *slot, uint32_t count,
                                          size_t item_size, size_t least, void (*release)(void *item))
{
    /* GNU C has items of nothing: as if each were a byte, or no number of them would ever be too large. */
    item_size += item_size == 0;
    const size_t there = (size_t)(in->end - at);
    if (item_size > SIZE_MAX / 2 / count)
        return NULL;
    if (least == 0 ? item_size * count > WHITTLE_CREDIT - in->spent
                   : in->owed > there || (uint64_t)least * count > there - in->owed)
        return NULL;
    in->spent += least == 0 ? item_size * count : 0;
    return whittle_xdr_in_new(in, slot, item_size, count, release);
}

/*: xdr_in_array_here needs xdr_in_array */
/*
 * The same for items without pointers. They stay in the message where they lie there as in memory, aligned to so many
 * bytes, to be put into order in place; 0: they do not.
 */
WHITTLE_INLINE void *whittle_xdr_in_array_here(struct whittle_xdr_in *in, const char *at, void *slot, uint32_t count,
                                               size_t item_size, size_t least, size_t alignment)
{
    if (alignment == 0 || !in->borrow || ((uintptr_t)at & (alignment - 1)) != 0
        || (uint64_t)item_size * count > (size_t)(in->end - at))
        return whittle_xdr_in_array(in, at, slot, count, item_size, least, NULL);
    whittle_xdr_in_point(slot, at);
    return (void *)(uintptr_t)at;
}

/*: xdr_in_owe needs xdr_in */
/* What follows is not there for what is being read; pay before the item to which it is owed. */
WHITTLE_INLINE void whittle_xdr_in_owe(struct whittle_xdr_in *in, uint32_t count, size_t least)
{
    in->owed += count * least;
}

WHITTLE_INLINE void whittle_xdr_in_pay(struct whittle_xdr_in *in, size_t least)
{
    in->owed -= least;
}

/*: xdr_in_claim needs xdr_in */
/* Beside what is owed, so many bytes must be there. */
WHITTLE_INLINE bool whittle_xdr_in_claim(const struct whittle_xdr_in *in, const char *at, size_t least)
{
    const size_t there = (size_t)(in->end - at);
    return in->owed <= there && least <= there - in->owed;
}

/*: xdr_in_ahead needs xdr_in ahead */
WHITTLE_INLINE void whittle_xdr_in_ahead(const struct whittle_xdr_in *in, const void *item, size_t item_size, size_t text)
{
    (void)in, (void)text;
    whittle_ahead(item, item_size);
}

/*: xdr_in_release needs bool system */
/* Releases storage that malloc gave and that holds no pointers; the slot is a pointer variable of any type. */
WHITTLE_INLINE void whittle_xdr_in_release(void *slot)
{
    void *value;
    memcpy(&value, slot, sizeof value);
    free(value);
    value = NULL;
    memcpy(slot, &value, sizeof value);
}

/*: end_of_xdr_in */
#endif
