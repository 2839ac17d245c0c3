/* SPDX-License-Identifier: MIT-0 */
/* Values without a connection: the functions around the routines that encode and decode them. */
#ifndef WHITTLE_INCLUDE_CODEC_H
#define WHITTLE_INCLUDE_CODEC_H
#include <whittle/cdr_in.h>
#include <whittle/cdr_out.h>
#include <whittle/xdr_in.h>
#include <whittle/xdr_out.h>
#include "../../codec/codec.h"

/*: codec_memory needs bool attributes */
/* What decoding may still allocate. */
struct whittle_codec_memory {
    size_t left;
    bool is_exhausted;
};

/* Storage that free() takes back; zeroed where its items hold pointers. */
WHITTLE_SHARED void *whittle_codec_allocate(struct whittle_codec_memory *memory, size_t size, uint32_t count, bool zeroed)
{
    size_t bytes;
    void *storage = NULL;
    if (!__builtin_mul_overflow(size, (size_t)count, &bytes) && bytes <= SIZE_MAX - 16 && bytes + 16 <= memory->left) {
        memory->left -= bytes + 16;
        storage = zeroed ? calloc(1, bytes) : malloc(bytes);
    }
    memory->is_exhausted |= storage == NULL;
    return storage;
}

/*: codec_limits needs codec_memory */
#define WHITTLE_CODEC_MEMORY ((size_t)64 << 20)

WHITTLE_SHARED struct whittle_codec_memory whittle_codec_memory_of(const struct whittle_codec_limits *limits)
{
    struct whittle_codec_memory memory = {WHITTLE_CODEC_MEMORY, false};
    if (limits != NULL && limits->memory != 0)
        memory.left = limits->memory;
    return memory;
}

/* Where counting levels begins, so that it ends with the limit. */
WHITTLE_SHARED unsigned whittle_codec_depth(const struct whittle_codec_limits *limits, unsigned most)
{
    return limits == NULL || limits->depth == 0 || limits->depth >= most ? 0 : most - limits->depth;
}

/*: codec_decoded needs codec_limits */
/* What came of decoding up to `end`; what is no value is released, and empty. */
WHITTLE_SHARED enum whittle_codec_status whittle_codec_decoded(void *value, size_t size, const char *bytes, const char *end,
                                                               size_t length, size_t *used, bool is_too_deep,
                                                               bool is_exhausted, void (*release)(void *))
{
    enum whittle_codec_status status = WHITTLE_CODEC_MALFORMED;
    const size_t taken = end == NULL ? 0 : (size_t)(end - bytes);
    if (end != NULL && (used != NULL || taken == length)) {
        if (used != NULL)
            *used = taken;
        return WHITTLE_CODEC_OK;
    }
    if (end == NULL && is_exhausted)
        status = WHITTLE_CODEC_NO_MEMORY;
    else if (end == NULL && is_too_deep)
        status = WHITTLE_CODEC_TOO_DEEP;
    if (release != NULL)
        release(value);
    memset(value, 0, size);
    if (used != NULL)
        *used = 0;
    return status;
}

/*: codec_unencoded needs bool attributes */
#ifndef WHITTLE_MAX_DEPTH
#define WHITTLE_MAX_DEPTH 1000
#endif
/* Why nothing came of encoding; how deep it was where it failed says. */
WHITTLE_SHARED enum whittle_codec_status whittle_codec_unencoded(bool is_full, unsigned depth)
{
    return is_full ? WHITTLE_CODEC_NO_ROOM : depth > WHITTLE_MAX_DEPTH ? WHITTLE_CODEC_TOO_DEEP : WHITTLE_CODEC_INVALID_VALUE;
}

/*: codec_xdr_encode needs xdr_out codec_unencoded */
struct whittle_codec_xdr_out {
    struct whittle_xdr_out out;
    bool is_full;
};

WHITTLE_SHARED char *whittle_codec_xdr_full(struct whittle_xdr_out *out, char *at, size_t more)
{
    (void)at, (void)more;
    ((struct whittle_codec_xdr_out *)out)->is_full = true;
    return NULL;
}

WHITTLE_SHARED enum whittle_codec_status whittle_codec_xdr_encode(const void *value, void *buffer, size_t room, size_t *size,
                                                                  char *(*encode)(struct whittle_xdr_out *, char *, const void *))
{
    char nowhere[1];
    char *const from = buffer == NULL ? nowhere : (char *)buffer;
    struct whittle_codec_xdr_out to = {{from, buffer == NULL ? from : from + room, whittle_codec_xdr_full, NULL, 0}, false};
    const char *const end = encode(&to.out, from, value);
    if (size != NULL)
        *size = end == NULL ? 0 : (size_t)(end - from);
    return end != NULL ? WHITTLE_CODEC_OK : whittle_codec_unencoded(to.is_full, to.out.depth);
}

/*: codec_xdr_decode needs xdr_in xdr_in_enter codec_decoded */
struct whittle_codec_xdr_in {
    struct whittle_xdr_in in;
    struct whittle_codec_memory memory;
};

WHITTLE_SHARED void *whittle_codec_xdr_new(struct whittle_xdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    return whittle_codec_allocate(&((struct whittle_codec_xdr_in *)in)->memory, size, count, release != NULL);
}

WHITTLE_SHARED enum whittle_codec_status whittle_codec_xdr_decode(void *value, size_t size, const void *bytes, size_t length,
                                                                  size_t *used, const struct whittle_codec_limits *limits,
                                                                  const char *(*decode)(struct whittle_xdr_in *, const char *, void *),
                                                                  void (*release)(void *))
{
    const char nothing[1] = {0};
    const char *const from = bytes == NULL ? nothing : (const char *)bytes;
    const size_t there = bytes == NULL ? 0 : length;
    const unsigned depth = whittle_codec_depth(limits, WHITTLE_MAX_DEPTH);
    struct whittle_codec_xdr_in source = {{from + there, 0, depth, false, whittle_codec_xdr_new, 0, NULL},
                                          whittle_codec_memory_of(limits)};
    memset(value, 0, size);
    const char *const end = decode(&source.in, from, value);
    return whittle_codec_decoded(value, size, from, end, there, used, source.in.depth > WHITTLE_MAX_DEPTH,
                                 source.memory.is_exhausted, release);
}

/*: codec_cdr_encode needs cdr_out codec_unencoded */
struct whittle_codec_cdr_out {
    struct whittle_cdr_out out;
    bool is_full;
};

WHITTLE_SHARED char *whittle_codec_cdr_full(struct whittle_cdr_out *out, char *at, size_t more)
{
    (void)at, (void)more;
    ((struct whittle_codec_cdr_out *)out)->is_full = true;
    return NULL;
}

/* An encapsulation (CORBA 3.3 part 2, section 9.3.3): a byte says in which order the others are, here the machine's. */
WHITTLE_SHARED enum whittle_codec_status whittle_codec_cdr_encode(const void *value, void *buffer, size_t room, size_t *size,
                                                                  char *(*encode)(struct whittle_cdr_out *, char *, const void *))
{
    char nowhere[1];
    char *const from = buffer == NULL || room == 0 ? nowhere : (char *)buffer;
    struct whittle_codec_cdr_out to = {{from, from == nowhere ? from + 1 : from + room, whittle_codec_cdr_full, NULL, 0, 0, 0},
                                       from == nowhere};
    from[0] = WHITTLE_BIG_ENDIAN ? 0 : 1;
    const char *const end = encode(&to.out, from + 1, value);
    const bool is_done = end != NULL && from != nowhere;
    if (size != NULL)
        *size = is_done ? (size_t)(end - from) : 0;
    return is_done ? WHITTLE_CODEC_OK : whittle_codec_unencoded(to.is_full, to.out.depth);
}

/*: codec_cdr_decode needs cdr_in cdr_in_enter codec_decoded */
struct whittle_codec_cdr_in {
    struct whittle_cdr_in in;
    struct whittle_codec_memory memory;
};

WHITTLE_SHARED void *whittle_codec_cdr_new(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    return whittle_codec_allocate(&((struct whittle_codec_cdr_in *)in)->memory, size, count, release != NULL);
}

/* In either byte order; `swapped` is for that which the machine does not have. */
WHITTLE_SHARED enum whittle_codec_status whittle_codec_cdr_decode(void *value, size_t size, const void *bytes, size_t length,
                                                                  size_t *used, const struct whittle_codec_limits *limits,
                                                                  const char *(*decode)(struct whittle_cdr_in *, const char *, void *),
                                                                  const char *(*swapped)(struct whittle_cdr_in *, const char *, void *),
                                                                  void (*release)(void *))
{
    const char nothing[1] = {0};
    const char *const from = bytes == NULL ? nothing : (const char *)bytes;
    const size_t there = bytes == NULL ? 0 : length;
    const unsigned depth = whittle_codec_depth(limits, WHITTLE_MAX_DEPTH);
    struct whittle_codec_cdr_in source = {{from, from + there, 0, depth, false, whittle_codec_cdr_new, 0, NULL, NULL, 0},
                                          whittle_codec_memory_of(limits)};
    const char *end = NULL;
    memset(value, 0, size);
    if (there > 0 && (unsigned char)from[0] <= 1)
        end = ((from[0] == 0) == (WHITTLE_BIG_ENDIAN != 0) ? decode : swapped)(&source.in, from + 1, value);
    return whittle_codec_decoded(value, size, from, end, there, used, source.in.depth > WHITTLE_MAX_DEPTH,
                                 source.memory.is_exhausted, release);
}

/*: end_of_codec */
#endif
