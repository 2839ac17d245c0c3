/* SPDX-License-Identifier: MIT-0 */
/* How many bytes the encoding of a value takes, by its table: values.h. */
#ifndef WHITTLE_VALUE_SIZE_H
#define WHITTLE_VALUE_SIZE_H
#include <whittle/values.h>

/*: value_size needs values */
WHITTLE_INLINE uint64_t whittle_value_aligned(uint64_t at, uint64_t to)
{
    return (at + to - 1) / to * to;
}

WHITTLE_INLINE uint64_t whittle_value_count_end(const struct whittle_values *all, uint64_t at)
{
    return whittle_value_aligned(at, all->counts_at) + 4;
}

/* Where it is in the encoding; and of values in chunks (cdr_value.h) how many are in each other, and where the last chunk begins. */
struct whittle_value_position {
    uint64_t at;
    uint64_t chunk;
    unsigned level;
};

WHITTLE_SHARED enum whittle_codec_status whittle_value_measure(const struct whittle_values *all, uint32_t of, const char *value,
                                                               const char *around, struct whittle_value_position *to, unsigned depth);

/* The head of a chunk; and its end, which takes the head back where there is nothing in it. */
WHITTLE_INLINE void whittle_value_chunk(struct whittle_value_position *to)
{
    to->at = to->chunk = whittle_value_aligned(to->at, 4) + 4;
}

WHITTLE_INLINE void whittle_value_chunk_end(struct whittle_value_position *to)
{
    to->at -= to->at == to->chunk ? 4 : 0;
}

/* A value in chunks, from its tag to the one that ends it. */
WHITTLE_SHARED enum whittle_codec_status whittle_value_in_chunks(const struct whittle_values *all, const struct whittle_value_type *type,
                                                                 const char *state, struct whittle_value_position *to, unsigned depth)
{
    enum whittle_codec_status status;
    if (to->level > 0)
        whittle_value_chunk_end(to);
    to->at = whittle_value_aligned(to->at, 4) + 4 + type->count;
    to->level++;
    whittle_value_chunk(to);
    status = whittle_value_measure(all, type->of, state, NULL, to, depth);
    whittle_value_chunk_end(to);
    to->at = whittle_value_aligned(to->at, 4) + 4;
    if (--to->level > 0)
        whittle_value_chunk(to);
    return status;
}

/* Moves on by what a value's encoding takes. */
WHITTLE_SHARED enum whittle_codec_status whittle_value_measure(const struct whittle_values *all, uint32_t of, const char *value,
                                                               const char *around, struct whittle_value_position *to, unsigned depth)
{
    struct whittle_value_trail trail = {depth, 0, NULL, 0};
    for (;;) {
        const struct whittle_value_type *const type = &all->types[of];
        const struct whittle_value_part *part = NULL;
        enum whittle_codec_status status;
        const char *text;
        size_t length;
        uint32_t count, i;
        switch ((enum whittle_value_kind)type->kind) {
        case WHITTLE_VALUE_NOTHING:
            return WHITTLE_CODEC_OK;
        case WHITTLE_VALUE_SIGNED:
        case WHITTLE_VALUE_UNSIGNED:
        case WHITTLE_VALUE_FLOAT:
        case WHITTLE_VALUE_BOOLEAN:
        case WHITTLE_VALUE_ENUMERATION:
        case WHITTLE_VALUE_RAW:
            to->at = whittle_value_aligned(to->at, type->align) + type->wire;
            return WHITTLE_CODEC_OK;
        case WHITTLE_VALUE_STRUCTURE:
            if (type->count == 0)
                return WHITTLE_CODEC_OK;
            for (i = 0; i + 1 < type->count; i++) {
                part = &all->parts[type->first + i];
                status = whittle_value_measure(all, part->type, value + part->at, value, to, trail.depth);
                if (status != WHITTLE_CODEC_OK)
                    return status;
            }
            part = &all->parts[type->first + i];
            break;
        case WHITTLE_VALUE_UNION:
            part = &all->parts[type->first];
            count = whittle_value_chosen(all, type, value);
            if (count == WHITTLE_VALUE_NO_VALUE)
                return WHITTLE_CODEC_INVALID_VALUE;
            status = whittle_value_measure(all, part->type, value + part->at, value, to, trail.depth);
            if (status != WHITTLE_CODEC_OK)
                return status;
            if (count == WHITTLE_VALUE_NO_PART)
                return WHITTLE_CODEC_OK;
            part = &all->parts[count];
            break;
        case WHITTLE_VALUE_COUNTED_BYTES:
        case WHITTLE_VALUE_COUNTED_TEXT:
            to->at = whittle_value_count_end(all, to->at) + (type->kind == WHITTLE_VALUE_COUNTED_TEXT ? all->ending : 0u);
            /* fall through */
        case WHITTLE_VALUE_BYTES:
        case WHITTLE_VALUE_INLINE_BYTES:
            if (!whittle_value_items(type, value, around, &count, &text))
                return WHITTLE_CODEC_INVALID_VALUE;
            to->at += whittle_value_aligned(count, all->unit);
            return WHITTLE_CODEC_OK;
        case WHITTLE_VALUE_TEXT:
        case WHITTLE_VALUE_INLINE_TEXT:
            if (!whittle_value_text(type, value, &text, &length))
                return WHITTLE_CODEC_INVALID_VALUE;
            to->at = whittle_value_count_end(all, to->at) + whittle_value_aligned((uint64_t)length + all->ending, all->unit);
            return WHITTLE_CODEC_OK;
        case WHITTLE_VALUE_COUNTED_ARRAY:
            to->at = whittle_value_count_end(all, to->at);
            /* fall through */
        case WHITTLE_VALUE_ARRAY:
        case WHITTLE_VALUE_INLINE_ARRAY: {
            const struct whittle_value_type *const item = &all->types[type->of];
            if (!whittle_value_items(type, value, around, &count, &text))
                return WHITTLE_CODEC_INVALID_VALUE;
            if (count > 0 && (whittle_value_is_plain(item) || item->kind == WHITTLE_VALUE_BOOLEAN)) {
                to->at = whittle_value_aligned(to->at, item->align) + (uint64_t)count * item->wire;
                return WHITTLE_CODEC_OK;
            }
            if (count > 0 && whittle_value_is_rest(type))
                goto follow;
            if (type->kind == WHITTLE_VALUE_COUNTED_ARRAY && trail.depth >= WHITTLE_VALUE_DEPTH)
                return WHITTLE_CODEC_TOO_DEEP;
            for (i = 0; i < count; i++) {
                status = whittle_value_measure(all, type->of, text + (size_t)i * item->size, NULL, to, trail.depth + 1);
                if (status != WHITTLE_CODEC_OK)
                    return status;
            }
            return WHITTLE_CODEC_OK;
        }
        case WHITTLE_VALUE_OPTIONAL:
        case WHITTLE_VALUE_REFERENCE:
            text = whittle_value_pointer(value);
        follow:
            if (text != NULL && !whittle_value_follow(&trail, text, type->of))
                return WHITTLE_CODEC_TOO_DEEP;
            if (text != NULL && type->kind == WHITTLE_VALUE_OPTIONAL && type->count > 0 && (type->labels > 0 || to->level > 0))
                return whittle_value_in_chunks(all, type, text, to, trail.depth);
            if (type->kind == WHITTLE_VALUE_OPTIONAL)
                to->at = whittle_value_count_end(all, to->at);
            if (text == NULL)
                return type->kind == WHITTLE_VALUE_OPTIONAL ? WHITTLE_CODEC_OK : WHITTLE_CODEC_INVALID_VALUE;
            to->at += type->count;
            of = type->of, value = text, around = NULL;
            continue;
        }
        if (part == NULL)
            return WHITTLE_CODEC_INVALID_VALUE;
        around = value;
        of = part->type, value += part->at;
    }
}

/* How many bytes a value takes behind the first `from` of its encoding, and these. */
WHITTLE_SHARED enum whittle_codec_status whittle_value_size(const struct whittle_values *all, uint32_t of, const void *value,
                                                            uint64_t from, size_t *size)
{
    struct whittle_value_position to = {from, 0, 0};
    enum whittle_codec_status status = whittle_value_measure(all, of, (const char *)value, NULL, &to, 0);
    if (status == WHITTLE_CODEC_OK && to.at > SIZE_MAX)
        status = WHITTLE_CODEC_INVALID_VALUE;
    *size = status == WHITTLE_CODEC_OK ? (size_t)to.at : 0;
    return status;
}

/*: end_of_value_size */
#endif
