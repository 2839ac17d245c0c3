/* SPDX-License-Identifier: MIT-0 */
/*
 * Value types in CDR, decoded (cdr_value.h has what stands before a state): whole, in chunks, or as references to what stood before.
 * Nesting, and what is read again, are limited; each step goes on in the message, but for references, which count what they have read.
 */
#ifndef WHITTLE_CDR_VALUE_IN_H
#define WHITTLE_CDR_VALUE_IN_H
#include <whittle/cdr_value.h>

/*: cdr_in_chunks needs cdr_in_ids */
/* A value whose state is being read. */
struct whittle_cdr_open {
    const char *tag;
    struct whittle_cdr_open *around;
    const char *end;    /* of the chunk that is being read, or of the last one */
    unsigned level;     /* of values in chunks; 0: not in chunks */
    bool is_again;      /* read where it stood before: nobody says how many values in chunks there are around it */
    bool is_closed;     /* the tag that ended a value in it ended it, too */
};

/* Behind a chunk, or what is none: the next begins, if there is one. */
WHITTLE_SHARED const char *whittle_cdr_in_chunk(struct whittle_cdr_in *in, const char *at, bool swapped)
{
    struct whittle_cdr_open *const here = in->open;
    const char *const from = here->is_closed ? NULL : whittle_cdr_in_align_and(in, at, 4, 4);
    const uint32_t size = from == NULL ? 0 : whittle_cdr_in_word(from, swapped);
    here->end = at;
    if (size == 0 || size >= WHITTLE_VALUE_TAG)
        return at;
    if (size > (size_t)(in->end - from) - 4)
        return NULL;
    here->end = from + 4 + size;
    return from + 4;
}

/* From the end of a chunk to the tag that ends the value, past all that is not asked for. */
WHITTLE_SHARED const char *whittle_cdr_in_past(const struct whittle_cdr_in *in, const char *at, unsigned level, bool is_again, bool swapped)
{
    uint32_t inner = 0;
    for (;;) {
        at = at == NULL ? NULL : whittle_cdr_in_align_and(in, at, 4, 4);
        if (at == NULL)
            return NULL;
        const uint32_t word = whittle_cdr_in_word(at, swapped), closes = 0u - word;
        if (word > 0 && word < WHITTLE_VALUE_TAG) {
            if (word > (size_t)(in->end - at) - 4)
                return NULL;
            at += 4 + word;
        } else if (word >= WHITTLE_VALUE_TAG && word <= INT32_MAX) {
            if ((word & WHITTLE_VALUE_CHUNKS) == 0)
                return NULL;
            at = whittle_cdr_in_ids(in, at + 4, word, NULL, NULL, swapped);
            inner++;
        } else if (word == 0 || inner == 0 || (!is_again && closes <= level)) {
            return word == 0 ? NULL : at;
        } else if (!is_again && closes > level + inner) {
            return NULL;
        } else {
            inner = is_again ? inner - 1 : closes - level - 1;
            at += 4;
        }
    }
}

/* The end of a value in chunks, with its tag, which may end values around it, too. */
WHITTLE_SHARED const char *whittle_cdr_in_closed(struct whittle_cdr_in *in, const char *at, bool is_part, bool swapped)
{
    struct whittle_cdr_open *const here = in->open;
    struct whittle_cdr_open *open = here;
    if (is_part ? at > here->end : at != here->end)
        return NULL;
    if (here->is_closed)
        return at;
    while (open != NULL && !open->is_again)
        open = open->around;
    at = is_part ? whittle_cdr_in_past(in, here->end, here->level, open != NULL, swapped) : whittle_cdr_in_align_and(in, at, 4, 4);
    if (at == NULL)
        return NULL;
    const uint32_t word = whittle_cdr_in_word(at, swapped), closes = 0u - word;
    if (word <= INT32_MAX || (open == NULL ? closes > here->level : closes < here->level))
        return NULL;
    if (open == NULL)
        for (open = here->around; open != NULL && open->level >= closes; open = open->around)
            open->is_closed = true;
    return at + 4;
}

/*: cdr_in_value needs cdr_in_chunks cdr_in_enter cdr_in_new cdr_in_point */
#ifndef WHITTLE_AGAIN
#define WHITTLE_AGAIN ((size_t)1 << 20)     /* bytes that a message may have read again, and each of its own this many times: */
#define WHITTLE_AGAIN_EACH 16
#endif
WHITTLE_INLINE bool whittle_cdr_in_again(struct whittle_cdr_in *in, size_t bytes)
{
    in->again += bytes;
    return in->again <= WHITTLE_AGAIN + WHITTLE_AGAIN_EACH * (size_t)(in->end - in->base);
}

WHITTLE_INLINE bool whittle_cdr_in_is_open(const struct whittle_cdr_in *in, const char *tag)
{
    const struct whittle_cdr_open *open = in->open;
    while (open != NULL && open->tag != tag)
        open = open->around;
    return open != NULL;
}

/* A type of value: bytes of its state in C, what releases that, its repository id, and the routine that decodes the state. */
struct whittle_cdr_value {
    size_t size;
    void (*release)(void *state);
    const char *id;
    const char *(*decode)(struct whittle_cdr_in *in, const char *at, void *state);
};

/* The state of a value whose tag is at `at`, in storage of its own, to which the slot then points. */
WHITTLE_SHARED const char *whittle_cdr_in_state(struct whittle_cdr_in *in, const char *at, void *slot,
                                                const struct whittle_cdr_value *type, bool is_again, bool swapped)
{
    struct whittle_cdr_open here = {at, in->open, NULL, 0, is_again, false};
    struct whittle_cdr_open *const around = is_again || in->open == NULL || in->open->level == 0 ? NULL : in->open;
    const uint32_t tag = whittle_cdr_in_word(at, swapped);
    const bool has_chunks = (tag & WHITTLE_VALUE_CHUNKS) != 0;
    uint32_t which;
    void *state;
    if (tag < WHITTLE_VALUE_TAG || tag > INT32_MAX || (tag & ~(WHITTLE_VALUE_TAG | 15u)) != 0 || (around != NULL && !has_chunks))
        return NULL;
    at = whittle_cdr_in_ids(in, at + 4, tag, type->id, &which, swapped);
    if (at == NULL || !whittle_cdr_in_enter(in))
        return NULL;
    state = whittle_cdr_in_new(in, slot, type->size, 1, type->release);
    if (state == NULL)
        return NULL;
    memset(state, 0, type->size);
    in->open = &here;
    if (has_chunks) {
        here.level = around == NULL ? 1 : around->level + 1;
        at = whittle_cdr_in_chunk(in, at, swapped);
    }
    if (at != NULL)
        at = type->decode(in, at, state);
    if (at != NULL && has_chunks)
        at = whittle_cdr_in_closed(in, at, which > 0, swapped);
    in->open = here.around;
    if (at != NULL && around != NULL)
        at = whittle_cdr_in_chunk(in, at, swapped);
    /* How deep it was where it failed says why. */
    if (at != NULL)
        whittle_cdr_in_leave(in);
    return at;
}

/* The slot is a pointer variable of any type. */
WHITTLE_SHARED const char *whittle_cdr_in_value(struct whittle_cdr_in *in, const char *at, void *slot, size_t size,
                                                void (*release)(void *), const char *id,
                                                const char *(*decode)(struct whittle_cdr_in *, const char *, void *), bool swapped)
{
    const struct whittle_cdr_value type = {size, release, id, decode};
    struct whittle_cdr_open *const around = in->open == NULL || in->open->level == 0 ? NULL : in->open;
    bool is_between = false;
    whittle_cdr_in_point(slot, NULL);
    if (around != NULL && at == around->end)
        at = whittle_cdr_in_chunk(in, at, swapped);
    /* Values stand between chunks, what refers to another in one: there it is distinguished from a tag that ends one. */
    if (at != NULL && around != NULL)
        is_between = at == around->end;
    at = at == NULL || (around != NULL && (at > around->end || around->is_closed)) ? NULL : whittle_cdr_in_align_and(in, at, 4, 4);
    if (at == NULL)
        return NULL;
    const uint32_t tag = whittle_cdr_in_word(at, swapped);
    if (tag == WHITTLE_VALUE_NULL)
        return is_between ? whittle_cdr_in_chunk(in, at + 4, swapped) : at + 4;
    if (tag != WHITTLE_VALUE_BEFORE)
        return around != NULL && !is_between ? NULL : whittle_cdr_in_state(in, at, slot, &type, false, swapped);
    const char *const before = is_between ? NULL : whittle_cdr_in_before(in, at, swapped);
    if (before == NULL || whittle_cdr_in_is_open(in, before) || !whittle_cdr_in_again(in, 8))
        return NULL;
    const char *const end = whittle_cdr_in_state(in, before, slot, &type, true, swapped);
    return end == NULL || !whittle_cdr_in_again(in, (size_t)(end - before)) ? NULL : at + 8;
}

/*: end_of_cdr_value_in */
#endif
