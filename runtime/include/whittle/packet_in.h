/* SPDX-License-Identifier: MIT-0 */
/*
 * Packets of flows, decoded: values read from memory that is all there, and that anybody may have written. The sections
 * have the names of those for streams (in.h). A cursor `at` goes through; NULL is failure, and nothing is read beyond
 * `end`. Counts and lengths are held against what is there before anything is allocated or written.
 */
#ifndef WHITTLE_PACKET_IN_H
#define WHITTLE_PACKET_IN_H
#include <whittle/order.h>
#include <whittle/packet_out.h>

/*: in needs bool attributes */
/* What decoding allocates hangs on the packet, which was zero before: releasing that releases all of it. */
struct whittle_in {
    const char *end;
    size_t owed;        /* bytes promised to the outer arrays' items to come */
    bool host;
    bool fresh;         /* as in in.h; always */
    unsigned depth;
};

/*: in_need needs in */
WHITTLE_INLINE const char *whittle_in_need(const struct whittle_in *in, const char *at, size_t n)
{
    return WHITTLE_LIKELY((size_t)(in->end - at) >= n) ? at : NULL;
}

/*: in_enter needs in */
#ifndef WHITTLE_MAX_DEPTH
#define WHITTLE_MAX_DEPTH 1000
#endif
/* Around the routine of a recursive type. */
WHITTLE_INLINE bool whittle_in_enter(struct whittle_in *in)
{
    return in->depth++ < WHITTLE_MAX_DEPTH;
}

WHITTLE_INLINE void whittle_in_leave(struct whittle_in *in)
{
    in->depth--;
}

/*: release needs bool system */
/* Releases storage that holds no pointers; the slot is a pointer variable of any type. */
WHITTLE_INLINE void whittle_release(void *slot)
{
    void *value;
    memcpy(&value, slot, sizeof value);
    free(value);
    value = NULL;
    memcpy(slot, &value, sizeof value);
}

/*: in_new needs in */
/* Storage for an empty slot. Whoever released it apart, as streams must, would be `owner`'s `release`. */
WHITTLE_SHARED void *whittle_in_new(const struct whittle_in *in, void *slot, size_t size, const void *owner,
                                    void (*release)(void *owner))
{
    (void)in, (void)owner, (void)release;
    void *const storage = malloc(size);
    if (storage != NULL)
        memcpy(slot, &storage, sizeof storage);
    return storage;
}

/*: in_bytes needs in padded */
WHITTLE_SHARED const char *whittle_in_bytes(const struct whittle_in *in, const char *at, void *to, size_t n)
{
    const uint64_t room = whittle_padded(n, in->host);
    if (room > (size_t)(in->end - at))
        return NULL;
    memcpy(to, at, n);
    return at + (size_t)room;
}

/*: in_text_there needs in padded */
/* A text and `more` bytes behind it are there, and the text has no NUL in it. */
WHITTLE_SHARED const char *whittle_in_text_there(const struct whittle_in *in, const char *at, uint32_t length,
                                                 uint32_t bound, size_t more)
{
    const uint64_t room = whittle_padded(length, in->host);
    if (length > bound || room + more > (size_t)(in->end - at) || memchr(at, 0, length) != NULL)
        return NULL;
    return at + (size_t)room;
}

/*: in_text needs in_text_there in_new release */
WHITTLE_SHARED const char *whittle_in_text_and(const struct whittle_in *in, const char *at, char **slot,
                                               uint32_t length, uint32_t bound, size_t more)
{
    const char *const after = whittle_in_text_there(in, at, length, bound, more);
    char *const text = after == NULL ? NULL : (char *)whittle_in_new(in, slot, (size_t)length + 1, slot, whittle_release);
    if (text == NULL)
        return NULL;
    memcpy(text, at, length);
    text[length] = 0;
    return after;
}

WHITTLE_INLINE const char *whittle_in_text_each(const struct whittle_in *in, const char *at, char **slot,
                                                uint32_t length, uint32_t bound, size_t more)
{
    return whittle_in_text_and(in, at, slot, length, bound, more);
}

WHITTLE_INLINE const char *whittle_in_text(const struct whittle_in *in, const char *at, char **slot, uint32_t length,
                                           uint32_t bound)
{
    return whittle_in_text_and(in, at, slot, length, bound, 0);
}

/*: in_inline_text needs in_text_there */
/* Into an array of bound + 1 bytes. */
WHITTLE_SHARED const char *whittle_in_inline_text_and(const struct whittle_in *in, const char *at, char *text,
                                                      uint32_t length, uint32_t bound, size_t more)
{
    const char *const after = whittle_in_text_there(in, at, length, bound, more);
    if (after == NULL)
        return NULL;
    memcpy(text, at, length);
    text[length] = 0;
    return after;
}

WHITTLE_INLINE const char *whittle_in_inline_text_each(const struct whittle_in *in, const char *at, char *text,
                                                       uint32_t length, uint32_t bound, size_t more)
{
    return whittle_in_inline_text_and(in, at, text, length, bound, more);
}

WHITTLE_INLINE const char *whittle_in_inline_text(const struct whittle_in *in, const char *at, char *text,
                                                  uint32_t length, uint32_t bound)
{
    return whittle_in_inline_text_and(in, at, text, length, bound, 0);
}

/*: in_counted_bytes needs in_bytes in_new release */
WHITTLE_SHARED const char *whittle_in_counted_bytes(const struct whittle_in *in, const char *at, void *slot,
                                                    uint32_t count)
{
    if (count == 0)
        return at;
    if (whittle_padded(count, in->host) > (size_t)(in->end - at))
        return NULL;
    void *const bytes = whittle_in_new(in, slot, count, slot, whittle_release);
    return bytes == NULL ? NULL : whittle_in_bytes(in, at, bytes, count);
}

/*: in_run needs in_new release */
/* Storage for `count` items of `size` bytes each, all of which are there. */
WHITTLE_SHARED void *whittle_in_run(const struct whittle_in *in, const char *at, void *slot, uint32_t count, size_t size)
{
    if (size == 0 || count > (size_t)(in->end - at) / size)
        return NULL;
    return whittle_in_new(in, slot, count * size, slot, whittle_release);
}

/*: in_order8 needs in */
WHITTLE_SHARED const char *whittle_in_order8(const struct whittle_in *in, const char *at, void *to, size_t count)
{
    if (count > (size_t)(in->end - at))
        return NULL;
    memcpy(to, at, count);
    return at + count;
}

/*: in_counted_order8 needs in_order8 in_run */
WHITTLE_SHARED const char *whittle_in_counted_order8(const struct whittle_in *in, const char *at, void *slot,
                                                     uint32_t count, size_t words)
{
    if (count == 0)
        return at;
    void *const items = whittle_in_run(in, at, slot, count, words);
    return items == NULL ? NULL : whittle_in_order8(in, at, items, count * words);
}

/*: in_order32 needs in order32_long */
WHITTLE_SHARED const char *whittle_in_order32(const struct whittle_in *in, const char *at, void *to, size_t count)
{
    if (count > (size_t)(in->end - at) / 4)
        return NULL;
    whittle_order32_long(to, at, count * 4);
    return at + count * 4;
}

/*: in_counted_order32 needs in_order32 in_run */
WHITTLE_SHARED const char *whittle_in_counted_order32(const struct whittle_in *in, const char *at, void *slot,
                                                      uint32_t count, size_t words)
{
    if (count == 0)
        return at;
    void *const items = whittle_in_run(in, at, slot, count, words * 4);
    return items == NULL ? NULL : whittle_in_order32(in, at, items, count * words);
}

/*: in_order64 needs in order64_long */
WHITTLE_SHARED const char *whittle_in_order64(const struct whittle_in *in, const char *at, void *to, size_t count)
{
    if (count > (size_t)(in->end - at) / 8)
        return NULL;
    whittle_order64_long(to, at, count * 8);
    return at + count * 8;
}

/*: in_counted_order64 needs in_order64 in_run */
WHITTLE_SHARED const char *whittle_in_counted_order64(const struct whittle_in *in, const char *at, void *slot,
                                                      uint32_t count, size_t words)
{
    if (count == 0)
        return at;
    void *const items = whittle_in_run(in, at, slot, count, words * 8);
    return items == NULL ? NULL : whittle_in_order64(in, at, items, count * words);
}

/*: in_array_begin needs in_new */
#ifndef WHITTLE_CREDIT
#define WHITTLE_CREDIT 32768    /* bytes allocated for items that take none of the message */
#endif
struct whittle_growth {
    uint32_t room;      /* items there is storage for: all of them */
    bool fresh;
};

/* The items of an array of `count` > 0; `least` is the fewest bytes that an item takes on the wire. */
WHITTLE_SHARED void *whittle_in_array_begin(const struct whittle_in *in, const char *at, struct whittle_growth *growth,
                                            void *slot, uint32_t count, size_t item_size, size_t least,
                                            const void *owner, void (*release)(void *owner))
{
    const size_t there = (size_t)(in->end - at);
    growth->room = count;
    growth->fresh = in->fresh;
    item_size += item_size == 0;    /* GNU C has items of nothing: as if each were a byte */
    if (item_size > SIZE_MAX / 2 / count)
        return NULL;
    if (least == 0 ? item_size > WHITTLE_CREDIT / count : in->owed > there || least > (there - in->owed) / count)
        return NULL;
    return whittle_in_new(in, slot, count * item_size, owner, release);
}

/*: in_array_grow needs in_array_begin */
/* All the storage is there from the start. */
WHITTLE_INLINE void *whittle_in_array_grow(const struct whittle_in *in, const struct whittle_growth *growth)
{
    (void)in, (void)growth;
    return NULL;
}

/*: in_array_end needs in_array_begin */
WHITTLE_INLINE void whittle_in_array_end(struct whittle_in *in, const struct whittle_growth *growth)
{
    in->fresh = growth->fresh;
}

/*: in_owe needs in */
/* What follows is not there for what is being read; pay before the item to which it is owed. */
WHITTLE_INLINE void whittle_in_owe(struct whittle_in *in, uint32_t count, size_t least)
{
    in->owed += count * least;
}

WHITTLE_INLINE void whittle_in_pay(struct whittle_in *in, size_t least)
{
    in->owed -= least;
}

/*: in_claim needs in */
/* Beside what is owed, so many bytes must be there. */
WHITTLE_INLINE bool whittle_in_claim(const struct whittle_in *in, const char *at, size_t least)
{
    const size_t there = (size_t)(in->end - at);
    return in->owed <= there && least <= there - in->owed;
}

/*: in_ahead needs in ahead */
WHITTLE_INLINE void whittle_in_ahead(const struct whittle_in *in, const void *item, size_t item_size, size_t text)
{
    (void)in, (void)text;
    whittle_ahead(item, item_size);
}

/*: read needs in */
/* A packet of exactly these bytes into zeroed storage. On false nothing is left allocated. */
WHITTLE_IN_PLACE bool whittle_read(void *packet, const uint8_t *at, size_t bytes, bool host,
                                   const char *(*decode)(struct whittle_in *, const char *, void *),
                                   void (*release)(void *))
{
    struct whittle_in in = {(const char *)at + bytes, 0, host, true, 0};
    const char *const end = decode(&in, (const char *)at, packet);
    if (end != NULL && end == in.end)
        return true;
    if (release != NULL)
        release(packet);
    return false;
}

/*: are_truths needs bool attributes */
/* Booleans in memory that somebody else wrote: each 0 or 1. Looked at as bytes, since no `bool` is anything else. */
WHITTLE_SHARED bool whittle_are_truths(const void *values, size_t count)
{
    const unsigned char *const bytes = (const unsigned char *)values;
    unsigned char any = 0;
    for (size_t i = 0; i < count; i++)
        any |= bytes[i];
    return any <= 1;
}

/*: end_of_packet_in */
#endif
