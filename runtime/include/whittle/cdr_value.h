/* SPDX-License-Identifier: MIT-0 */
/*
 * Value types in CDR (CORBA 3.3 part 2, section 9.3.4): a tag, who it is by repository ids, then the state, which a routine of the
 * type's marshals. A value is written with its id, and as often as pointers lead to it; one that may be taken for others, its bases, with
 * their ids, too, and in chunks, so that who knows but one of them can pass over the rest. What is read may leave the id out, list
 * several, or say where it stood before; where it says so of a whole value, that is read again, into storage of its own. All that a
 * message has read again is limited, and a value inside itself is refused. A state may come in chunks: each ends where a value in it
 * begins, or where the state does; what a type of another has beyond its base is passed over where the type lists the base.
 */
#ifndef WHITTLE_CDR_VALUE_H
#define WHITTLE_CDR_VALUE_H
#include <whittle/cdr_in.h>
#include <whittle/cdr_out.h>

/*: cdr_value needs bool attributes */
#define WHITTLE_VALUE_NULL 0u
#define WHITTLE_VALUE_TAG 0x7fffff00u   /* and these: */
#define WHITTLE_VALUE_PLACE 1u          /* a URL of code before the ids */
#define WHITTLE_VALUE_ID 2u
#define WHITTLE_VALUE_IDS 6u            /* a count, and so many */
#define WHITTLE_VALUE_CHUNKS 8u
#define WHITTLE_VALUE_BEFORE 0xffffffffu    /* in the place of a tag, a length or a count; how far back follows */
#ifndef WHITTLE_MAX_DEPTH
#define WHITTLE_MAX_DEPTH 1000
#endif

/*: cdr_out_value needs cdr_value cdr_out_align */
WHITTLE_INLINE char *whittle_cdr_out_word(struct whittle_cdr_out *out, char *at, uint32_t word, bool swapped)
{
    at = at == NULL ? NULL : whittle_cdr_out_align_and(out, at, 4, 4);
    if (at == NULL)
        return NULL;
    if (swapped)
        word = __builtin_bswap32(word);
    memcpy(at, &word, sizeof word);
    return at + sizeof word;
}

/* How long a chunk is stands before it; nothing stays of one that has nothing in it. */
WHITTLE_INLINE char *whittle_cdr_out_chunk(struct whittle_cdr_out *out, char *at)
{
    at = whittle_cdr_out_word(out, at, 0, false);
    if (at != NULL)
        out->chunk = (size_t)(at - out->base);
    return at;
}

WHITTLE_SHARED char *whittle_cdr_out_chunk_end(struct whittle_cdr_out *out, char *at, bool swapped)
{
    char *const from = out->base + out->chunk;
    if (at == NULL || at == from)
        return at == NULL ? NULL : at - 4;
    if ((size_t)(at - from) >= WHITTLE_VALUE_TAG)
        return NULL;
    const uint32_t size = swapped ? __builtin_bswap32((uint32_t)(at - from)) : (uint32_t)(at - from);
    memcpy(from - 4, &size, sizeof size);
    return at;
}

/* So many ids, one behind the other. */
WHITTLE_SHARED char *whittle_cdr_out_ids(struct whittle_cdr_out *out, char *at, const char *ids, uint32_t count, bool swapped)
{
    if (count > 1)
        at = whittle_cdr_out_word(out, at, count, swapped);
    for (; count > 0; count--) {
        const size_t size = strlen(ids) + 1;
        at = whittle_cdr_out_word(out, at, (uint32_t)size, swapped);
        at = at == NULL ? NULL : whittle_cdr_out_need(out, at, size);
        if (at == NULL)
            return NULL;
        memcpy(at, ids, size);
        at += size, ids += size;
    }
    return at;
}

/* A state in chunks: values in it stand between them, and have such, too. */
WHITTLE_SHARED char *whittle_cdr_out_in_chunks(struct whittle_cdr_out *out, char *at, const void *state,
                                               char *(*encode)(struct whittle_cdr_out *, char *, const void *), bool swapped)
{
    size_t (*const refer)(struct whittle_cdr_out *, const char *, const void *, size_t) = out->refer;
    /* What is not copied would not count. */
    out->refer = NULL;
    out->level++;
    at = whittle_cdr_out_chunk(out, at);
    at = at == NULL ? NULL : whittle_cdr_out_chunk_end(out, encode(out, at, state), swapped);
    at = whittle_cdr_out_word(out, at, 0u - out->level, swapped);
    out->level--;
    out->refer = refer;
    return out->level == 0 ? at : whittle_cdr_out_chunk(out, at);
}

WHITTLE_SHARED char *whittle_cdr_out_value(struct whittle_cdr_out *out, char *at, const void *state, const char *ids, uint32_t count,
                                           char *(*encode)(struct whittle_cdr_out *, char *, const void *), bool swapped)
{
    const bool has_chunks = out->level > 0 || count > 1;
    const uint32_t tag = WHITTLE_VALUE_TAG | (count > 1 ? WHITTLE_VALUE_IDS : WHITTLE_VALUE_ID) | (has_chunks ? WHITTLE_VALUE_CHUNKS : 0u);
    if (state == NULL)
        return whittle_cdr_out_word(out, at, WHITTLE_VALUE_NULL, swapped);
    /* What leads back to itself would have no end. */
    if (out->depth >= WHITTLE_MAX_DEPTH) {
        out->depth = WHITTLE_MAX_DEPTH + 1;
        return NULL;
    }
    if (out->level > 0)
        at = whittle_cdr_out_chunk_end(out, at, swapped);
    at = whittle_cdr_out_ids(out, whittle_cdr_out_word(out, at, tag, swapped), ids, count, swapped);
    if (at == NULL)
        return NULL;
    out->depth++;
    at = has_chunks ? whittle_cdr_out_in_chunks(out, at, state, encode, swapped) : encode(out, at, state);
    /* How deep it was where it failed says why. */
    if (at != NULL)
        out->depth--;
    return at;
}

/*: cdr_in_before needs cdr_in cdr_value */
WHITTLE_INLINE uint32_t whittle_cdr_in_word(const char *at, bool swapped)
{
    uint32_t word;
    memcpy(&word, at, sizeof word);
    return swapped ? __builtin_bswap32(word) : word;
}

/* The place that an indirection at `at` leads to: before it, where a word may begin. */
WHITTLE_SHARED const char *whittle_cdr_in_before(const struct whittle_cdr_in *in, const char *at, bool swapped)
{
    if ((size_t)(in->end - at) < 8)
        return NULL;
    /* From the distance's own place, which is behind the word that announces it. */
    const uint32_t back = 0u - whittle_cdr_in_word(at + 4, swapped);
    return back <= 4 || back % 4 != 0 || back - 4 > (size_t)(at - in->base) ? NULL : at + 4 - back;
}

/*: cdr_in_ids needs cdr_in_before cdr_in_align */
/* A text, here or before: where it ends here, and where it stands; no length but that of its own bytes. */
WHITTLE_SHARED const char *whittle_cdr_in_named(const struct whittle_cdr_in *in, const char *at, const char **name, bool swapped)
{
    const char *from = whittle_cdr_in_align_and(in, at, 4, 4);
    const char *after = NULL;
    if (from != NULL && whittle_cdr_in_word(from, swapped) == WHITTLE_VALUE_BEFORE) {
        after = from + 8;
        from = whittle_cdr_in_before(in, from, swapped);
    }
    if (from == NULL)
        return NULL;
    const uint32_t size = whittle_cdr_in_word(from, swapped);
    if (size == 0 || size > (size_t)(in->end - from) - 4 || memchr(from + 4, 0, size) != from + 4 + size - 1)
        return NULL;
    *name = from + 4;
    return after == NULL ? from + 4 + size : after;
}

/* So many ids, here or before: which of them is `id`, as one must be where it is not NULL. */
WHITTLE_SHARED const char *whittle_cdr_in_list(const struct whittle_cdr_in *in, const char *at, const char *id, uint32_t *which,
                                               bool swapped)
{
    const char *after = NULL, *name;
    uint32_t count, i;
    at = whittle_cdr_in_align_and(in, at, 4, 4);
    if (at != NULL && whittle_cdr_in_word(at, swapped) == WHITTLE_VALUE_BEFORE) {
        after = at + 8;
        at = whittle_cdr_in_before(in, at, swapped);
    }
    count = at == NULL ? 0 : whittle_cdr_in_word(at, swapped);
    *which = count;
    at = count == 0 ? NULL : at + 4;
    for (i = 0; i < count && at != NULL; i++) {
        at = whittle_cdr_in_named(in, at, &name, swapped);
        if (at != NULL && id != NULL && *which == count && strcmp(name, id) == 0)
            *which = i;
    }
    if (id != NULL && *which == count)
        return NULL;
    return at == NULL || after == NULL ? at : after;
}

/*
 * What stands between a tag and the state. `which`: 0 where the value is of the type `id`, more where it may be taken for one, in chunks;
 * what is neither is refused, but for the values in those that are passed over, of which nobody asks (`which` is NULL).
 */
WHITTLE_SHARED const char *whittle_cdr_in_ids(const struct whittle_cdr_in *in, const char *at, uint32_t tag, const char *id,
                                              uint32_t *which, bool swapped)
{
    const char *name = id;
    uint32_t found = 0;
    if ((tag & WHITTLE_VALUE_PLACE) != 0)
        at = whittle_cdr_in_named(in, at, &name, swapped);
    if (at == NULL || (tag & WHITTLE_VALUE_IDS) == (WHITTLE_VALUE_IDS ^ WHITTLE_VALUE_ID))
        return NULL;
    name = id;
    if ((tag & WHITTLE_VALUE_IDS) == WHITTLE_VALUE_ID)
        at = whittle_cdr_in_named(in, at, &name, swapped);
    else if ((tag & WHITTLE_VALUE_IDS) == WHITTLE_VALUE_IDS)
        at = whittle_cdr_in_list(in, at, id, &found, swapped);
    if (which == NULL || at == NULL)
        return at;
    *which = found;
    if (strcmp(name, id) != 0 || (found > 0 && (tag & WHITTLE_VALUE_CHUNKS) == 0))
        return NULL;
    return at;
}

/*: end_of_cdr_value */
#endif
