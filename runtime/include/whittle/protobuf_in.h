/* SPDX-License-Identifier: MIT-0 */
/*
 * Protobuf's messages into values. Fields come in any order and any number of times: the last number, text or arm stays, messages are
 * merged, lists grow. What has no field of its number, or another wire type, is skipped. The value can be released at any time: what is
 * allocated hangs on it, counts say how much of it is there, and discriminants say which arm. In the end what did not come gets its default.
 */
#ifndef WHITTLE_PROTOBUF_IN_H
#define WHITTLE_PROTOBUF_IN_H
#include <whittle/protobuf_field.h>

/*: protobuf_message_in needs protobuf_field */
/* Where a number is among fields in order, of which it is likely the one at `guess` or the next; `count` where it is none. */
WHITTLE_INLINE uint32_t whittle_protobuf_find(const struct whittle_protobuf_field *fields, uint32_t count, uint32_t guess, uint32_t number)
{
    uint32_t low = 0, high = count;
    if (guess < count && fields[guess].nth_number == number)
        return guess;
    if (guess + 1 < count && fields[guess + 1].nth_number == number)
        return guess + 1;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (fields[middle].nth_number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && fields[low].nth_number == number ? low : count;
}

/* Fixed arrays came whole, or not at all; other fields that did not come have their defaults. */
WHITTLE_SHARED bool whittle_protobuf_complete(struct whittle_protobuf_in *in, uint32_t of, char *value, bool is_fresh, uint32_t seen)
{
    const struct whittle_value_type *const type = &in->all->types[of];
    if (type->kind == WHITTLE_VALUE_ARRAY && seen != 0)
        return seen == type->most;
    return seen != 0 || !is_fresh || whittle_protobuf_absent(in, of, value);
}

WHITTLE_SHARED bool whittle_protobuf_take_structure(struct whittle_protobuf_in *in, const char *at, const char *end,
                                               const struct whittle_value_type *type, char *value, bool is_fresh, uint32_t *seen)
{
    const struct whittle_value_part *const parts = &in->all->parts[type->first];
    const struct whittle_protobuf_field *const fields = &in->fields[type->first];
    uint32_t tag, i, found = 0;
    while (at != end) {
        at = whittle_protobuf_tag(at, end, &tag);
        if (at == NULL)
            return false;
        i = whittle_protobuf_find(fields, type->count, found, tag >> 3);
        if (i < type->count) {
            const struct whittle_value_part *const part = &parts[fields[i].nth];
            at = whittle_protobuf_take_field(in, at, end, tag, part->type, value + part->at, value, is_fresh, &seen[fields[i].nth]);
            found = i;
        } else {
            at = whittle_protobuf_skip(in, at, end, tag);
        }
        if (at == NULL)
            return false;
    }
    for (i = 0; i < type->count; i++)
        if (!whittle_protobuf_complete(in, parts[i].type, value + parts[i].at, is_fresh, seen[i]))
            return false;
    return true;
}

/* The last number of a discriminant that travels, wherever it is; false where a message is malformed. */
WHITTLE_SHARED bool whittle_protobuf_take_discriminant(struct whittle_protobuf_in *in, const char *at, const char *end,
                                                  const struct whittle_value_type *by, uint32_t number, char *value, uint32_t *seen)
{
    uint32_t tag;
    while (at != end) {
        at = whittle_protobuf_tag(at, end, &tag);
        if (at == NULL)
            return false;
        if (tag >> 3 == number && (tag & 7) == whittle_protobuf_wire_of(by)) {
            at = whittle_protobuf_take_number(in, by, at, end, value);
            *seen = 1;
        } else {
            at = whittle_protobuf_skip(in, at, end, tag);
        }
        if (at == NULL)
            return false;
    }
    return true;
}

/* The arm of a union. Where its discriminant travels it decides; else the last arm that comes does. */
WHITTLE_SHARED bool whittle_protobuf_take_union(struct whittle_protobuf_in *in, const char *at, const char *end,
                                           const struct whittle_value_type *type, char *value, bool is_fresh)
{
    const struct whittle_protobuf_field *const field = &in->fields[type->first];
    const struct whittle_value_part *const by = &in->all->parts[type->first];
    const struct whittle_value_type *const number = &in->all->types[by->type];
    const uint32_t former = is_fresh ? WHITTLE_VALUE_NO_PART : whittle_value_chosen(in->all, type, value);
    uint32_t there = former, wanted = WHITTLE_VALUE_NO_PART, last = WHITTLE_VALUE_NO_PART, seen = 0, tag, i;
    uint64_t wide = 0;
    char discriminant[8] = {0};
    if (field->number != 0) {
        if (!whittle_protobuf_take_discriminant(in, at, end, number, field->number, discriminant, &seen))
            return false;
        memcpy(&wide, value + by->at, number->size);
        if (seen == 0 && is_fresh && !whittle_protobuf_absent(in, by->type, value + by->at))
            return false;
        if (seen != 0 && memcmp(&wide, discriminant, number->size) != 0) {
            if (former != WHITTLE_VALUE_NO_PART && former != WHITTLE_VALUE_NO_VALUE)
                whittle_protobuf_drop(in->all, in->all->parts[former].type, value + in->all->parts[former].at, value);
            memcpy(value + by->at, discriminant, number->size);
            there = WHITTLE_VALUE_NO_PART;
        }
        wanted = whittle_value_chosen(in->all, type, value);
        if (wanted == WHITTLE_VALUE_NO_VALUE)
            return false;
    }
    while (at != end) {
        at = whittle_protobuf_tag(at, end, &tag);
        if (at == NULL)
            return false;
        i = whittle_protobuf_find(field + 1, field->nth, 0, tag >> 3);
        const uint32_t arm = i < field->nth ? type->first + field[1 + i].nth : WHITTLE_VALUE_NO_PART;
        const struct whittle_value_part *const part = &in->all->parts[i < field->nth ? arm : type->first];
        if (arm == WHITTLE_VALUE_NO_PART || (tag & 7) != whittle_protobuf_wire_of(&in->all->types[part->type])) {
            at = whittle_protobuf_skip(in, at, end, tag);
        } else {
            is_fresh = there != arm;
            if (is_fresh && there != WHITTLE_VALUE_NO_PART)
                whittle_protobuf_drop(in->all, in->all->parts[there].type, value + in->all->parts[there].at, value);
            there = last = arm;
            if (field->number == 0) {
                whittle_protobuf_store(number, value + by->at, (uint64_t)in->all->labels[in->fields[arm].label].value);
            } else if (arm != wanted) {
                /* It would be released as a type that it does not have. */
                there = WHITTLE_VALUE_NO_PART;
                at = whittle_protobuf_skip(in, at, end, tag);
                if (at == NULL)
                    return false;
                continue;
            }
            at = whittle_protobuf_take_one(in, at, end, part->type, value + part->at, value, is_fresh);
        }
        if (at == NULL)
            return false;
    }
    if (field->number == 0)
        return there != WHITTLE_VALUE_NO_PART || former != WHITTLE_VALUE_NO_PART || whittle_protobuf_absent(in, (uint32_t)(type - in->all->types), value);
    if (last != WHITTLE_VALUE_NO_PART && last != wanted)
        return false;
    return wanted == WHITTLE_VALUE_NO_PART || there == wanted ||
           whittle_protobuf_absent(in, in->all->parts[wanted].type, value + in->all->parts[wanted].at);
}

/* A message into a value, which was all zeros if it `is_fresh`; else what was decoded before is merged with it. */
WHITTLE_SHARED bool whittle_protobuf_take_message(struct whittle_protobuf_in *in, const char *at, const char *end, uint32_t of, char *value,
                                             char *around, bool is_fresh)
{
    const struct whittle_value_type *const type = &in->all->types[of];
    uint32_t few[WHITTLE_PROTOBUF_FEW], *seen = few, tag;
    bool is_done;
    if (++in->depth > WHITTLE_MAX_DEPTH)
        return false;
    if (type->kind == WHITTLE_VALUE_UNION) {
        is_done = whittle_protobuf_take_union(in, at, end, type, value, is_fresh);
    } else if (type->kind == WHITTLE_VALUE_STRUCTURE) {
        if (type->count > WHITTLE_PROTOBUF_FEW)
            seen = (uint32_t *)whittle_codec_allocate(&in->memory, sizeof *seen, type->count, true);
        else
            memset(few, 0, type->count * sizeof *seen);
        is_done = seen != NULL && whittle_protobuf_take_structure(in, at, end, type, value, is_fresh, seen);
        if (seen != few && seen != NULL) {
            in->memory.left += sizeof *seen * type->count + 16;
            free(seen);
        }
    } else {
        few[0] = 0;
        while (at != NULL && at != end) {
            at = whittle_protobuf_tag(at, end, &tag);
            if (at != NULL)
                at = tag >> 3 == 1 ? whittle_protobuf_take_field(in, at, end, tag, of, value, around, is_fresh, few)
                                   : whittle_protobuf_skip(in, at, end, tag);
        }
        is_done = at != NULL && whittle_protobuf_complete(in, of, value, is_fresh, few[0]);
    }
    in->depth -= is_done;
    return is_done;
}

/*: protobuf_in needs protobuf_message_in codec_decoded */
/* All bytes are the message: what follows it would be more fields of it. */
WHITTLE_SHARED enum whittle_codec_status whittle_protobuf_decode(const struct whittle_protobuf *table, uint32_t of, void *value, size_t size,
                                                                 const void *bytes, size_t length, size_t *used,
                                                                 const struct whittle_codec_limits *limits, void (*release)(void *))
{
    const char nothing[1] = {0};
    const char *const from = bytes == NULL ? nothing : (const char *)bytes;
    const char *const end = bytes == NULL ? from : from + length;
    struct whittle_protobuf_in in = {table->values, table->fields, whittle_codec_memory_of(limits),
                                     whittle_codec_depth(limits, WHITTLE_MAX_DEPTH)};
    memset(value, 0, size);
    const bool is_done = whittle_protobuf_take_message(&in, from, end, of, (char *)value, NULL, true);
    return whittle_codec_decoded(value, size, from, is_done ? end : NULL, (size_t)(end - from), used, in.depth > WHITTLE_MAX_DEPTH,
                                 in.memory.is_exhausted, release);
}

/*: end_of_protobuf_in */
#endif
