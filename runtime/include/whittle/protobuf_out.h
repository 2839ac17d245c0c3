/* SPDX-License-Identifier: MIT-0 */
/* Values into protobuf's messages: protobuf.h. */
#ifndef WHITTLE_PROTOBUF_OUT_H
#define WHITTLE_PROTOBUF_OUT_H
#include <whittle/protobuf_put.h>

/*: protobuf_message_out needs protobuf_put */
WHITTLE_SHARED char *whittle_protobuf_put_message(struct whittle_protobuf_out *out, char *at, uint32_t of, const char *value,
                                                  const char *around);

/* Before a value, unless that failed. */
WHITTLE_IN_PLACE char *whittle_protobuf_put_tag(struct whittle_protobuf_out *out, char *at, uint32_t number, uint32_t wire)
{
    return at == NULL ? NULL : whittle_protobuf_put(out, at, (uint64_t)number << 3 | wire);
}

/* A number that is a field of a message, unless it is 0. */
WHITTLE_IN_PLACE char *whittle_protobuf_put_member(struct whittle_protobuf_out *out, char *at, uint32_t number,
                                                   const struct whittle_value_type *type, const char *value)
{
    uint32_t word;
    if (type->size == sizeof word && type->kind != WHITTLE_VALUE_FLOAT && type->kind != WHITTLE_VALUE_BOOLEAN && at - out->begin >= 20 &&
        whittle_protobuf_form_of(type) == WHITTLE_PROTOBUF_PLAIN) {
        memcpy(&word, value, sizeof word);
        if (word == 0)
            return at;
        at = whittle_protobuf_put_word(at, word, type->kind != WHITTLE_VALUE_UNSIGNED);
        return whittle_protobuf_put_here(at, (uint64_t)number << 3);
    }
    if (whittle_protobuf_load(type, value) == 0)
        return at;
    return whittle_protobuf_put_tag(out, whittle_protobuf_put_number(out, at, type, value), number, whittle_protobuf_wire_of(type));
}

/* The length of what was written since, and its tag. */
WHITTLE_INLINE char *whittle_protobuf_put_length(struct whittle_protobuf_out *out, char *at, uint32_t number, uint64_t before)
{
    const uint64_t written = at == NULL ? 0 : whittle_protobuf_written(out, at) - before;
    if (at == NULL || written > WHITTLE_PROTOBUF_MOST)
        return NULL;
    return whittle_protobuf_put_tag(out, whittle_protobuf_put(out, at, written), number, WHITTLE_PROTOBUF_LENGTH);
}

WHITTLE_INLINE char *whittle_protobuf_put_nested(struct whittle_protobuf_out *out, char *at, uint32_t number, uint32_t of, const char *value,
                                                 const char *around)
{
    const uint64_t before = whittle_protobuf_written(out, at);
    return whittle_protobuf_put_length(out, whittle_protobuf_put_message(out, at, of, value, around), number, before);
}

/* The bytes of a value that is bytes or text; false where it has no encoding. */
WHITTLE_SHARED bool whittle_protobuf_bytes(const struct whittle_value_type *type, const char *value, const char *around,
                                           const char **bytes, size_t *length)
{
    bool is_text = true;
    uint32_t count;
    switch ((enum whittle_value_kind)type->kind) {
    case WHITTLE_VALUE_TEXT:
    case WHITTLE_VALUE_INLINE_TEXT:
        if (!whittle_value_text(type, value, bytes, length))
            return false;
        break;
    default:
        if (!whittle_value_items(type, value, around, &count, bytes))
            return false;
        *length = count;
        is_text = type->kind == WHITTLE_VALUE_COUNTED_TEXT;
        break;
    }
    return *length <= WHITTLE_PROTOBUF_MOST && (!is_text || whittle_protobuf_is_text(*bytes, *length));
}

WHITTLE_INLINE bool whittle_protobuf_is_bytes(const struct whittle_value_type *type)
{
    const unsigned all = 1u << WHITTLE_VALUE_BYTES | 1u << WHITTLE_VALUE_COUNTED_BYTES | 1u << WHITTLE_VALUE_COUNTED_TEXT |
                         1u << WHITTLE_VALUE_INLINE_BYTES | 1u << WHITTLE_VALUE_INLINE_TEXT | 1u << WHITTLE_VALUE_TEXT;
    return (all >> type->kind & 1) != 0;
}

/* One value behind its tag. What is its type's default is left out, unless `is_explicit`. */
WHITTLE_SHARED char *whittle_protobuf_put_one(struct whittle_protobuf_out *out, char *at, uint32_t number, uint32_t of, const char *value,
                                              const char *around, bool is_explicit)
{
    const struct whittle_value_type *const type = &out->all->types[of];
    const char *bytes;
    size_t length;
    if (type->kind == WHITTLE_VALUE_REFERENCE) {
        value = whittle_value_pointer(value);
        return value == NULL ? NULL : whittle_protobuf_put_one(out, at, number, type->of, value, NULL, is_explicit);
    }
    if (whittle_protobuf_is_number(type)) {
        if (!is_explicit && whittle_protobuf_load(type, value) == 0)
            return at;
        at = whittle_protobuf_put_number(out, at, type, value);
    } else if (whittle_protobuf_is_bytes(type)) {
        if (!whittle_protobuf_bytes(type, value, around, &bytes, &length))
            return NULL;
        if (length == 0 && !is_explicit)
            return at;
        at = whittle_protobuf_put_bytes(out, at, bytes, length);
        at = at == NULL ? NULL : whittle_protobuf_put(out, at, length);
    } else {
        return whittle_protobuf_put_nested(out, at, number, of, value, around);
    }
    return whittle_protobuf_put_tag(out, at, number, whittle_protobuf_wire_of(type));
}

WHITTLE_SHARED char *whittle_protobuf_put_list(struct whittle_protobuf_out *out, char *at, uint32_t number, uint32_t of, const char *value,
                                               const char *around)
{
    const struct whittle_value_type *const type = &out->all->types[of], *const item = &out->all->types[type->of];
    const uint64_t before = whittle_protobuf_written(out, at);
    const char *items;
    uint32_t count, i;
    if (!whittle_value_items(type, value, around, &count, &items))
        return NULL;
    if (count == 0)
        return at;
    if (!whittle_protobuf_is_number(item)) {
        for (i = count; i-- > 0 && at != NULL;)
            at = whittle_protobuf_put_one(out, at, number, type->of, items + (size_t)i * item->size, NULL, true);
        return at;
    }
    return whittle_protobuf_put_length(out, whittle_protobuf_put_numbers(out, at, item, items, count), number, before);
}

/* A field of a message: nothing, one value, or a list. */
WHITTLE_SHARED char *whittle_protobuf_put_field(struct whittle_protobuf_out *out, char *at, uint32_t number, uint32_t of,
                                                const char *value, const char *around)
{
    const struct whittle_value_type *const type = &out->all->types[of];
    const char *target;
    if (type->kind == WHITTLE_VALUE_NOTHING)
        return at;
    if (whittle_protobuf_is_list(type))
        return whittle_protobuf_put_list(out, at, number, of, value, around);
    if (type->kind != WHITTLE_VALUE_OPTIONAL && type->kind != WHITTLE_VALUE_REFERENCE)
        return whittle_protobuf_put_one(out, at, number, of, value, around, false);
    target = whittle_value_pointer(value);
    if (target == NULL)
        return type->kind == WHITTLE_VALUE_OPTIONAL ? at : NULL;
    return whittle_protobuf_put_one(out, at, number, type->of, target, NULL, true);
}

WHITTLE_SHARED char *whittle_protobuf_put_union(struct whittle_protobuf_out *out, char *at, const struct whittle_value_type *type,
                                                const char *value)
{
    const struct whittle_value_part *const parts = out->all->parts, *const by = &parts[type->first];
    const uint32_t number = out->fields[type->first].number, chosen = whittle_value_chosen(out->all, type, value);
    const bool has_arm = chosen != WHITTLE_VALUE_NO_PART && chosen != WHITTLE_VALUE_NO_VALUE;
    const bool is_behind = has_arm && number > out->fields[chosen].number;
    if (chosen == WHITTLE_VALUE_NO_VALUE)
        return NULL;
    if (is_behind)
        at = whittle_protobuf_put_field(out, at, number, by->type, value + by->at, value);
    if (has_arm && at != NULL && out->all->types[parts[chosen].type].kind != WHITTLE_VALUE_NOTHING)
        at = whittle_protobuf_put_one(out, at, out->fields[chosen].number, parts[chosen].type, value + parts[chosen].at, value, true);
    if (number != 0 && !is_behind && at != NULL)
        at = whittle_protobuf_put_field(out, at, number, by->type, value + by->at, value);
    return at;
}

WHITTLE_SHARED char *whittle_protobuf_put_message(struct whittle_protobuf_out *out, char *at, uint32_t of, const char *value,
                                                  const char *around)
{
    const struct whittle_value_type *const type = &out->all->types[of];
    uint32_t i;
    if (++out->depth > WHITTLE_MAX_DEPTH)
        return NULL;
    if (type->kind == WHITTLE_VALUE_UNION) {
        at = whittle_protobuf_put_union(out, at, type, value);
    } else if (type->kind == WHITTLE_VALUE_STRUCTURE) {
        const struct whittle_protobuf_field *const fields = &out->fields[type->first];
        const struct whittle_value_part *const parts = &out->all->parts[type->first];
        for (i = type->count; i-- > 0 && at != NULL && fields[i].nth_number != 0;) {
            const struct whittle_value_part *const part = &parts[fields[i].nth];
            const struct whittle_value_type *const one = &out->all->types[part->type];
            const char *const at_part = value + part->at;
            const uint32_t number = fields[i].nth_number;
            if (one->kind == WHITTLE_VALUE_STRUCTURE)
                at = whittle_protobuf_put_nested(out, at, number, part->type, at_part, value);
            else if (!whittle_protobuf_is_number(one))
                at = whittle_protobuf_put_field(out, at, number, part->type, at_part, value);
            else
                at = whittle_protobuf_put_member(out, at, number, one, at_part);
        }
    } else {
        at = whittle_protobuf_put_field(out, at, 1, of, value, around);
    }
    if (at != NULL)
        out->depth--;
    return at;
}

/*: protobuf_out needs protobuf_message_out */
WHITTLE_INLINE enum whittle_codec_status whittle_protobuf_status(const struct whittle_protobuf_out *out)
{
    return out->is_full ? WHITTLE_CODEC_NO_ROOM : out->depth > WHITTLE_MAX_DEPTH ? WHITTLE_CODEC_TOO_DEEP : WHITTLE_CODEC_INVALID_VALUE;
}

WHITTLE_SHARED enum whittle_codec_status whittle_protobuf_encode(const struct whittle_protobuf *table, uint32_t of, const void *value,
                                                                 void *buffer, size_t room, size_t *size)
{
    char nowhere[1];
    char *const from = buffer == NULL ? nowhere : (char *)buffer;
    char *const end = buffer == NULL ? from : from + room;
    struct whittle_protobuf_out out = {table->values, table->fields, from, end, 0, 0, false, false};
    char *const at = whittle_protobuf_put_message(&out, end, of, (const char *)value, NULL);
    const size_t length = at == NULL || end - at > WHITTLE_PROTOBUF_MOST ? 0 : (size_t)(end - at);
    if (size != NULL)
        *size = length;
    if (at == NULL || (length == 0 && at != end))
        return whittle_protobuf_status(&out);
    if (at != from && length > 0)
        memmove(from, at, length);
    return WHITTLE_CODEC_OK;
}

WHITTLE_SHARED enum whittle_codec_status whittle_protobuf_size(const struct whittle_protobuf *table, uint32_t of, const void *value,
                                                               size_t *size)
{
    char window[32];
    struct whittle_protobuf_out out = {table->values, table->fields, window, window + sizeof window, 0, 0, true, false};
    const char *const at = whittle_protobuf_put_message(&out, window + sizeof window, of, (const char *)value, NULL);
    const uint64_t length = at == NULL ? 0 : whittle_protobuf_written(&out, at);
    const bool is_valid = at != NULL && length <= WHITTLE_PROTOBUF_MOST;
    *size = is_valid ? (size_t)length : 0;
    return is_valid ? WHITTLE_CODEC_OK : whittle_protobuf_status(&out);
}

/*: end_of_protobuf_out */
#endif
