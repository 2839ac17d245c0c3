/* SPDX-License-Identifier: MIT-0 */
/*
 * CDR (CORBA 3.3 part 2, section 9.3), decoded: values read from memory that is all there, and that anybody may have
 * written. A cursor `at` goes through; NULL is failure, and nothing is read beyond `end`. Counts and lengths are held
 * against what is there before anything is allocated; padding is not judged. The root of a value was zeroed by the caller:
 * on failure releasing it releases everything.
 */
#ifndef WHITTLE_CDR_IN_H
#define WHITTLE_CDR_IN_H
#include <whittle/cdr_order.h>

/*: cdr_in needs bool attributes */
struct whittle_account;
struct whittle_cdr_open;
struct whittle_cdr_in {
    const char *base;   /* position 0 of the message */
    const char *end;
    size_t owed;        /* bytes promised to the outer arrays' items to come */
    unsigned depth;
    bool borrow;        /* texts and bytes stay in the message; storage is released all at once, nothing one by one */
    /* Storage for `count` items of `size` bytes each, zeroed where `release` releases what one item holds. */
    void *(*allocate)(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *item));
    size_t spent;       /* bytes allocated for items that take none of the message */
    struct whittle_account *account;    /* what storage that `allocate` does not give counts against; NULL: nothing */
    struct whittle_cdr_open *open;  /* the innermost value whose state is being read: cdr_value_in.h */
    size_t again;       /* bytes read more than once, since several places share the value that they are */
};

/*: cdr_in_need needs cdr_in */
WHITTLE_INLINE const char *whittle_cdr_in_need(const struct whittle_cdr_in *in, const char *at, size_t n)
{
    return WHITTLE_LIKELY((size_t)(in->end - at) >= n) ? at : NULL;
}

/*: cdr_in_align needs cdr_in */
/* On to a position that is a multiple of `to` (1, 2, 4, 8), where `more` bytes are. */
WHITTLE_INLINE const char *whittle_cdr_in_align_and(const struct whittle_cdr_in *in, const char *at, size_t to,
                                                    size_t more)
{
    const size_t pad = (size_t)(in->base - at) & (to - 1);
    return WHITTLE_LIKELY((size_t)(in->end - at) >= pad + more) ? at + pad : NULL;
}

WHITTLE_INLINE const char *whittle_cdr_in_align(const struct whittle_cdr_in *in, const char *at, size_t to)
{
    return whittle_cdr_in_align_and(in, at, to, 0);
}

/*: cdr_in_enter needs cdr_in */
#ifndef WHITTLE_MAX_DEPTH
#define WHITTLE_MAX_DEPTH 1000
#endif
/* Around the routine of a recursive type. */
WHITTLE_INLINE bool whittle_cdr_in_enter(struct whittle_cdr_in *in)
{
    return in->depth++ < WHITTLE_MAX_DEPTH;
}

WHITTLE_INLINE void whittle_cdr_in_leave(struct whittle_cdr_in *in)
{
    in->depth--;
}

/*: cdr_in_new needs cdr_in */
/* Storage for a slot, which is a pointer variable of any type. */
WHITTLE_INLINE void *whittle_cdr_in_new(struct whittle_cdr_in *in, void *slot, size_t size, uint32_t count,
                                        void (*release)(void *item))
{
    size += size == 0;  /* GNU C has objects of nothing */
    void *const storage = in->allocate(in, size, count, release);
    memcpy(slot, &storage, sizeof storage);
    return storage;
}

/*: cdr_in_point needs cdr_in */
WHITTLE_INLINE void whittle_cdr_in_point(void *slot, const void *to)
{
    memcpy(slot, &to, sizeof to);
}

/*: cdr_in_text_there needs cdr_in */
/* A text, the way on to a multiple of `to`, and `more` bytes there: all there, and the text's one NUL is its last byte. */
WHITTLE_IN_PLACE const char *whittle_cdr_in_text_there(const struct whittle_cdr_in *in, const char *at, uint32_t length,
                                                       uint32_t bound, size_t to, size_t more)
{
    const size_t there = (size_t)(in->end - at);
    if (length > there || length - (length != 0) > bound)
        return NULL;
    const char *const end = at + length;
    const size_t pad = (size_t)(in->base - end) & (to - 1);
    if (pad + more > there - length || (length != 0 && memchr(at, 0, length) != end - 1))
        return NULL;
    return end + pad;
}

/*: cdr_in_text needs cdr_in_text_there cdr_in_new cdr_in_point */
/*
 * A length of 0, which no text has, is read as the empty text: some send it. In place for each item of an array, shared by all
 * other places.
 */
WHITTLE_IN_PLACE const char *whittle_cdr_in_text_each(struct whittle_cdr_in *in, const char *at, char **slot,
                                                      uint32_t length, uint32_t bound, size_t to, size_t more)
{
    const char *const after = whittle_cdr_in_text_there(in, at, length, bound, to, more);
    if (after == NULL)
        return NULL;
    if (in->borrow) {
        whittle_cdr_in_point(slot, length == 0 ? "" : at);
        return after;
    }
    char *const text = (char *)whittle_cdr_in_new(in, slot, 1, length + (length == 0), NULL);
    if (text == NULL)
        return NULL;
    memcpy(text, at, length);
    text[length - (length != 0)] = 0;
    return after;
}

WHITTLE_SHARED const char *whittle_cdr_in_text(struct whittle_cdr_in *in, const char *at, char **slot, uint32_t length,
                                               uint32_t bound, size_t to, size_t more)
{
    return whittle_cdr_in_text_each(in, at, slot, length, bound, to, more);
}

/*: cdr_in_counted_text needs cdr_in_text_there cdr_in_new cdr_in_point */
/* And its length beside it: without its NUL, and without any bytes where it is empty. */
WHITTLE_SHARED const char *whittle_cdr_in_counted_text(struct whittle_cdr_in *in, const char *at, char **slot, uint32_t *count,
                                                       uint32_t length, uint32_t bound, size_t to, size_t more)
{
    const char *const after = whittle_cdr_in_text_there(in, at, length, bound, to, more);
    if (after == NULL)
        return NULL;
    const uint32_t bytes = length - (length != 0);
    *count = bytes;
    if (bytes == 0 || in->borrow) {
        whittle_cdr_in_point(slot, bytes == 0 ? NULL : at);
        return after;
    }
    char *const text = (char *)whittle_cdr_in_new(in, slot, 1, bytes, NULL);
    if (text == NULL)
        return NULL;
    memcpy(text, at, bytes);
    return after;
}

/*: cdr_in_inline_text needs cdr_in_text_there */
/* Into an array of bound + 1 bytes. */
WHITTLE_SHARED const char *whittle_cdr_in_inline_text(const struct whittle_cdr_in *in, const char *at, char *text,
                                                      uint32_t length, uint32_t bound, size_t to, size_t more)
{
    const char *const after = whittle_cdr_in_text_there(in, at, length, bound, to, more);
    if (after == NULL)
        return NULL;
    memcpy(text, at, length);
    text[length - (length != 0)] = 0;
    return after;
}

/*: cdr_in_order8 needs cdr_in copy */
/* Bytes as they are. */
WHITTLE_SHARED const char *whittle_cdr_in_order8(const struct whittle_cdr_in *in, const char *at, void *to, size_t count)
{
    if (count > (size_t)(in->end - at))
        return NULL;
    if (count > 0)
        whittle_copy(to, at, count);
    return at + count;
}

/*: cdr_in_bytes needs cdr_in_order8 */
WHITTLE_INLINE const char *whittle_cdr_in_bytes(const struct whittle_cdr_in *in, const char *at, void *to, size_t n)
{
    return whittle_cdr_in_order8(in, at, to, n);
}

/*: cdr_in_run needs cdr_in_new cdr_in_point */
/* Whether `count` items of `size` bytes each are there. */
WHITTLE_INLINE bool whittle_cdr_in_holds(const struct whittle_cdr_in *in, const char *at, size_t count, size_t size)
{
    size_t total;
    return !__builtin_mul_overflow(count, size, &total) && total <= (size_t)(in->end - at);
}

/* Storage for `count` > 0 items of `size` bytes each, all of which are there. */
WHITTLE_INLINE void *whittle_cdr_in_run(struct whittle_cdr_in *in, const char *at, void *slot, uint32_t count, size_t size)
{
    if (size == 0 || !whittle_cdr_in_holds(in, at, count, size))
        return NULL;
    return whittle_cdr_in_new(in, slot, size, count, NULL);
}

/*: cdr_in_counted_order8 needs cdr_in_run copy */
WHITTLE_SHARED const char *whittle_cdr_in_counted_order8(struct whittle_cdr_in *in, const char *at, void *slot,
                                                         uint32_t count, size_t size, size_t alignment)
{
    if (count == 0) {
        whittle_cdr_in_point(slot, NULL);
        return at;
    }
    if (in->borrow && whittle_cdr_in_holds(in, at, count, size) && ((uintptr_t)at & (alignment - 1)) == 0) {
        whittle_cdr_in_point(slot, at);
        return at + count * size;
    }
    void *const items = whittle_cdr_in_run(in, at, slot, count, size);
    if (items == NULL)
        return NULL;
    whittle_copy(items, at, count * size);
    return at + count * size;
}

/*: cdr_in_counted_bytes needs cdr_in_counted_order8 */
WHITTLE_INLINE const char *whittle_cdr_in_counted_bytes(struct whittle_cdr_in *in, const char *at, void *slot,
                                                        uint32_t count)
{
    return whittle_cdr_in_counted_order8(in, at, slot, count, 1, 1);
}

/*: cdr_in_runs needs cdr_in_run */
/* Words of BYTES bytes each, put into order by ORDER: into storage that is there, or that is allocated. */
#define WHITTLE_CDR_IN_RUNS(NAME, BYTES, ORDER)                                                                        \
    WHITTLE_SHARED const char *whittle_cdr_in_##NAME(const struct whittle_cdr_in *in, const char *at, void *to,        \
                                                     size_t count)                                                     \
    {                                                                                                                  \
        if (count > (size_t)(in->end - at) / BYTES)                                                                    \
            return NULL;                                                                                               \
        if (count > 0)                                                                                                 \
            ORDER(to, at, count * BYTES);                                                                              \
        return at + count * BYTES;                                                                                     \
    }                                                                                                                  \
    WHITTLE_SHARED const char *whittle_cdr_in_counted_##NAME(struct whittle_cdr_in *in, const char *at, void *slot,    \
                                                             uint32_t count, size_t words)                             \
    {                                                                                                                  \
        if (count == 0) {                                                                                              \
            whittle_cdr_in_point(slot, NULL);                                                                          \
            return at;                                                                                                 \
        }                                                                                                              \
        void *const items = whittle_cdr_in_run(in, at, slot, count, words * BYTES);                                    \
        return items == NULL ? NULL : whittle_cdr_in_##NAME(in, at, items, count * words);                             \
    }

/*: cdr_in_order16 needs cdr_in_runs order16_long */
WHITTLE_CDR_IN_RUNS(order16, 2, whittle_order16_long)
/*: cdr_in_order32 needs cdr_in_runs order32_long */
WHITTLE_CDR_IN_RUNS(order32, 4, whittle_order32_long)
/*: cdr_in_order64 needs cdr_in_runs order64_long */
WHITTLE_CDR_IN_RUNS(order64, 8, whittle_order64_long)
/*: cdr_in_swapped16 needs cdr_in_runs swapped16_long */
WHITTLE_CDR_IN_RUNS(swapped16, 2, whittle_swapped16_long)
/*: cdr_in_swapped32 needs cdr_in_runs swapped32_long */
WHITTLE_CDR_IN_RUNS(swapped32, 4, whittle_swapped32_long)
/*: cdr_in_swapped64 needs cdr_in_runs swapped64_long */
WHITTLE_CDR_IN_RUNS(swapped64, 8, whittle_swapped64_long)
/*: cdr_in_counted_order16 needs cdr_in_order16 */
/*: cdr_in_counted_order32 needs cdr_in_order32 */
/*: cdr_in_counted_order64 needs cdr_in_order64 */
/*: cdr_in_counted_swapped16 needs cdr_in_swapped16 */
/*: cdr_in_counted_swapped32 needs cdr_in_swapped32 */
/*: cdr_in_counted_swapped64 needs cdr_in_swapped64 */

/*: cdr_in_array needs cdr_in_new cdr_in_point */
#ifndef WHITTLE_CREDIT
#define WHITTLE_CREDIT 32768    /* bytes allocated in all for items that take none of the message */
#endif
/* The items of an array of `count` > 0; `least` is the fewest bytes that an item takes in the message. */
WHITTLE_SHARED void *whittle_cdr_in_array(struct whittle_cdr_in *in, const char *at, void *slot, uint32_t count,
                                          size_t item_size, size_t least, void (*release)(void *item))
{
    /* GNU C has items of nothing: as if each were a byte, or no number of them would ever be too large. */
    item_size += item_size == 0;
    const size_t there = (size_t)(in->end - at);
    if (item_size > SIZE_MAX / 2 / count)
        return NULL;
    if (least == 0 ? item_size * count > WHITTLE_CREDIT - in->spent : in->owed > there || least > (there - in->owed) / count)
        return NULL;
    in->spent += least == 0 ? item_size * count : 0;
    return whittle_cdr_in_new(in, slot, item_size, count, release);
}

/*: cdr_in_owe needs cdr_in */
/* What follows is not there for what is being read; pay before the item to which it is owed. */
WHITTLE_INLINE void whittle_cdr_in_owe(struct whittle_cdr_in *in, uint32_t count, size_t least)
{
    in->owed += count * least;
}

WHITTLE_INLINE void whittle_cdr_in_pay(struct whittle_cdr_in *in, size_t least)
{
    in->owed -= least;
}

/*: cdr_in_claim needs cdr_in */
/* Beside what is owed, so many bytes must be there. */
WHITTLE_INLINE bool whittle_cdr_in_claim(const struct whittle_cdr_in *in, const char *at, size_t least)
{
    const size_t there = (size_t)(in->end - at);
    return in->owed <= there && least <= there - in->owed;
}

/*: cdr_in_ahead needs cdr_in ahead */
WHITTLE_INLINE void whittle_cdr_in_ahead(const struct whittle_cdr_in *in, const void *item, size_t item_size, size_t text)
{
    (void)in, (void)text;
    whittle_ahead(item, item_size);
}

/*: cdr_in_release needs bool system */
/* Releases storage that malloc gave and that holds no pointers; the slot is a pointer variable of any type. */
WHITTLE_INLINE void whittle_cdr_in_release(void *slot)
{
    void *value;
    memcpy(&value, slot, sizeof value);
    free(value);
    value = NULL;
    memcpy(slot, &value, sizeof value);
}

/*: end_of_cdr_in */
#endif
