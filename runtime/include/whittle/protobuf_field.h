/* SPDX-License-Identifier: MIT-0 */
/* A field of a message into its part of a value: one value, or a list. protobuf_in.h. */
#ifndef WHITTLE_PROTOBUF_FIELD_H
#define WHITTLE_PROTOBUF_FIELD_H
#include <whittle/protobuf_absent.h>

/*: protobuf_field needs protobuf_absent */
WHITTLE_SHARED bool whittle_protobuf_take_message(struct whittle_protobuf_in *in, const char *at, const char *end, uint32_t of, char *value,
                                             char *around, bool is_fresh);

/* Text or bytes, in place of what is there. */
WHITTLE_SHARED bool whittle_protobuf_take_bytes(struct whittle_protobuf_in *in, const struct whittle_value_type *type, const char *bytes,
                                                size_t length, char *value, char *around)
{
    const bool is_text = type->kind == WHITTLE_VALUE_TEXT || type->kind == WHITTLE_VALUE_INLINE_TEXT;
    const uint32_t count = (uint32_t)length;
    char *storage = NULL, *former;
    if (length > type->most || (is_text && length > 0 && memchr(bytes, 0, length) != NULL))
        return false;
    if ((is_text || type->kind == WHITTLE_VALUE_COUNTED_TEXT) && !whittle_protobuf_is_text(bytes, length))
        return false;
    if (type->kind == WHITTLE_VALUE_BYTES && length != type->most)
        return false;
    if (type->kind == WHITTLE_VALUE_TEXT || type->kind == WHITTLE_VALUE_COUNTED_BYTES || type->kind == WHITTLE_VALUE_COUNTED_TEXT) {
        const size_t at = is_text ? 0 : type->data_at;
        if (is_text || count > 0) {
            storage = (char *)whittle_codec_allocate(&in->memory, length + is_text, 1, false);
            if (storage == NULL)
                return false;
        }
        memcpy(&former, value + at, sizeof former);
        free(former);
        memcpy(value + at, &storage, sizeof storage);
        if (!is_text)
            memcpy(value + type->count_at, &count, sizeof count);
        if (!is_text && type->count == 1) {
            memcpy(value + type->count_at - sizeof count, &count, sizeof count);
            value[type->data_at + sizeof storage] = storage != NULL;
        }
    } else {
        storage = value;
        if (type->kind == WHITTLE_VALUE_INLINE_BYTES)
            whittle_value_set_count(type, around, count);
    }
    if (length > 0)
        memcpy(storage, bytes, length);
    if (is_text)
        storage[length] = 0;
    return true;
}

/* What a pointer leads to, made where there is nothing; NULL: no memory. */
WHITTLE_SHARED char *whittle_protobuf_behind(struct whittle_protobuf_in *in, const struct whittle_value_type *type, char *value, bool *is_fresh)
{
    char *target;
    memcpy(&target, value, sizeof target);
    *is_fresh = target == NULL;
    if (*is_fresh) {
        target = (char *)whittle_codec_allocate(&in->memory, in->all->types[type->of].size, 1, true);
        if (target != NULL)
            memcpy(value, &target, sizeof target);
    }
    return target;
}

/* One value behind its tag, whose wire type is its own. */
WHITTLE_SHARED const char *whittle_protobuf_take_one(struct whittle_protobuf_in *in, const char *at, const char *end, uint32_t of, char *value,
                                                char *around, bool is_fresh)
{
    const struct whittle_value_type *const type = &in->all->types[of];
    const char *stop;
    if (type->kind == WHITTLE_VALUE_REFERENCE) {
        value = whittle_protobuf_behind(in, type, value, &is_fresh);
        return value == NULL ? NULL : whittle_protobuf_take_one(in, at, end, type->of, value, NULL, is_fresh);
    }
    if (whittle_protobuf_is_number(type))
        return whittle_protobuf_take_number(in, type, at, end, value);
    stop = whittle_protobuf_counted(&at, end);
    if (stop == NULL)
        return NULL;
    if (whittle_protobuf_is_bytes(type) ? whittle_protobuf_take_bytes(in, type, at, (size_t)(stop - at), value, around)
                                        : whittle_protobuf_take_message(in, at, stop, of, value, around, is_fresh))
        return stop;
    return NULL;
}

/* The room of a list: it follows from how many items there are, so that it need not be kept. */
WHITTLE_INLINE uint32_t whittle_protobuf_room(uint32_t count, uint32_t most)
{
    const uint32_t doubled = count <= 8 ? count : count > UINT32_MAX / 2 ? UINT32_MAX : 2u << (31 - __builtin_clz(count - 1));
    return doubled < most ? doubled : most;
}

/* Room for more items of a list, which has room for `room`; NULL where there may not be so many. */
WHITTLE_SHARED char *whittle_protobuf_reserve(struct whittle_protobuf_in *in, const struct whittle_value_type *type, char *value,
                                              uint32_t count, uint32_t more, uint32_t *room)
{
    const size_t size = in->all->types[type->of].size;
    const uint32_t wanted = whittle_protobuf_room(count + more, type->most);
    size_t bytes, former = 0;
    char *items;
    memcpy(&items, value + type->data_at, sizeof items);
    if (*room == 0)
        *room = whittle_protobuf_room(count, type->most);
    if (count + more <= *room)
        return items;
    if (items != NULL)
        former = (size_t)*room * size + 16;
    if (__builtin_mul_overflow(size, (size_t)wanted, &bytes) || bytes > SIZE_MAX - 16 || bytes + 16 > in->memory.left + former) {
        in->memory.is_exhausted = true;
        return NULL;
    }
    items = (char *)realloc(items, bytes);
    if (items == NULL) {
        in->memory.is_exhausted = true;
        return NULL;
    }
    in->memory.left = in->memory.left + former - (bytes + 16);
    *room = wanted;
    memcpy(value + type->data_at, &items, sizeof items);
    if (type->count == 1) {
        memcpy(value + type->count_at - sizeof wanted, &wanted, sizeof wanted);
        value[type->data_at + sizeof items] = 1;
    }
    return items;
}

/* How many fields of one tag follow each other, the first of which is at its length. */
WHITTLE_SHARED uint32_t whittle_protobuf_ahead(const char *at, const char *end, uint32_t tag)
{
    uint32_t count = 0, next = tag;
    while (at != NULL && next == tag && count < WHITTLE_PROTOBUF_MOST) {
        const char *const stop = whittle_protobuf_counted(&at, end);
        if (stop == NULL)
            break;
        count++;
        at = stop == end ? NULL : whittle_protobuf_tag(stop, end, &next);
    }
    return count;
}

/* Numbers without tags: bytes that end one. */
WHITTLE_SHARED uint32_t whittle_protobuf_count_numbers(const char *at, const char *end)
{
    uint64_t eight;
    uint32_t count = 0;
    for (; end - at >= 8; at += 8) {
        memcpy(&eight, at, sizeof eight);
        eight = ~eight & 0x8080808080808080u;
        count += (uint32_t)(((eight >> 7) * 0x0101010101010101u) >> 56);
    }
    for (; at < end; at++)
        count += (unsigned char)*at < 0x80;
    return count;
}

/* As many as were counted, up to the end. */
WHITTLE_SHARED bool whittle_protobuf_take_numbers(struct whittle_protobuf_in *in, const struct whittle_value_type *item, const char *at,
                                             const char *end, char *items, uint32_t count)
{
    const bool is_plain = item->size == 4 && item->wire == 4 && item->labels == 0 && item->kind != WHITTLE_VALUE_BOOLEAN &&
                          whittle_protobuf_form_of(item) == WHITTLE_PROTOBUF_PLAIN;
    uint64_t number;
    uint32_t i, word;
    if (whittle_protobuf_is_as_in_memory(item)) {
        if (count > 0)
            memcpy(items, at, (size_t)count * item->size);
        return true;
    }
    if (is_plain && item->kind != WHITTLE_VALUE_FLOAT) {
        for (i = 0; i < count && at != NULL; i++) {
            at = whittle_protobuf_varint(at, end, &number);
            word = (uint32_t)number;
            memcpy(items + (size_t)i * sizeof word, &word, sizeof word);
        }
        return at == end;
    }
    for (i = 0; i < count && at != NULL; i++)
        at = whittle_protobuf_take_number(in, item, at, end, items + (size_t)i * item->size);
    return at == end;
}

/* More items of a list. `room` is how many items there is room for or, where C has no count, how many have come. */
WHITTLE_SHARED const char *whittle_protobuf_take_items(struct whittle_protobuf_in *in, const char *at, const char *end, uint32_t tag, uint32_t of,
                                                  char *value, char *around, bool is_fresh, uint32_t *room)
{
    const struct whittle_value_type *const type = &in->all->types[of], *const item = &in->all->types[type->of];
    const bool is_packed = whittle_protobuf_is_number(item) && (tag & 7) == WHITTLE_PROTOBUF_LENGTH;
    char *items = value;
    const uint32_t fixed = whittle_protobuf_fixed_size(item);
    uint32_t count = *room, more = 1, total;
    if (!is_packed && (tag & 7) != whittle_protobuf_wire_of(item))
        return whittle_protobuf_skip(in, at, end, tag);
    if (is_packed) {
        end = whittle_protobuf_counted(&at, end);
        if (end == NULL || end - at > WHITTLE_PROTOBUF_MOST)
            return NULL;
        if (fixed != 0 && (size_t)(end - at) % fixed != 0)
            return NULL;
        more = fixed != 0 ? (uint32_t)((size_t)(end - at) / fixed) : whittle_protobuf_count_numbers(at, end);
        if (more == 0)
            return at == end ? end : NULL;
    }
    if (type->kind == WHITTLE_VALUE_COUNTED_ARRAY)
        memcpy(&count, value + type->count_at, sizeof count);
    else if (type->kind == WHITTLE_VALUE_INLINE_ARRAY)
        count = whittle_value_count(type, around);
    if (count > type->most || more > type->most - count)
        return NULL;
    if (type->kind == WHITTLE_VALUE_COUNTED_ARRAY) {
        total = more;
        if (*room == 0 && !whittle_protobuf_is_number(item)) {
            total = whittle_protobuf_ahead(at, end, tag);
            total = total == 0 ? 1 : total > type->most - count ? type->most - count : total;
        }
        items = whittle_protobuf_reserve(in, type, value, count, total, room);
        if (items == NULL)
            return NULL;
    }
    items += (size_t)count * item->size;
    total = count + more;
    if (is_packed && !whittle_protobuf_take_numbers(in, item, at, end, items, more))
        return NULL;
    if (type->kind != WHITTLE_VALUE_ARRAY && !is_packed)
        memset(items, 0, item->size);
    if (type->kind == WHITTLE_VALUE_COUNTED_ARRAY)
        memcpy(value + type->count_at, &total, sizeof total);
    else if (type->kind == WHITTLE_VALUE_INLINE_ARRAY)
        whittle_value_set_count(type, around, total);
    else
        *room = total;
    if (is_packed)
        return end;
    return whittle_protobuf_take_one(in, at, end, type->of, items, NULL, is_fresh || type->kind != WHITTLE_VALUE_ARRAY);
}

/* A field of a message; `seen` is 0 before the first of its number. */
WHITTLE_SHARED const char *whittle_protobuf_take_field(struct whittle_protobuf_in *in, const char *at, const char *end, uint32_t tag, uint32_t of,
                                                  char *value, char *around, bool is_fresh, uint32_t *seen)
{
    const struct whittle_value_type *const type = &in->all->types[of];
    if (whittle_protobuf_is_list(type))
        return whittle_protobuf_take_items(in, at, end, tag, of, value, around, is_fresh, seen);
    if (type->kind == WHITTLE_VALUE_OPTIONAL || type->kind == WHITTLE_VALUE_REFERENCE) {
        of = type->of;
        if ((tag & 7) != whittle_protobuf_wire_of(&in->all->types[of]))
            return whittle_protobuf_skip(in, at, end, tag);
        value = whittle_protobuf_behind(in, type, value, &is_fresh);
        if (value == NULL)
            return NULL;
        around = NULL;
    } else if ((tag & 7) != whittle_protobuf_wire_of(type) || type->kind == WHITTLE_VALUE_NOTHING) {
        return whittle_protobuf_skip(in, at, end, tag);
    } else {
        is_fresh = is_fresh && *seen == 0;
    }
    *seen = 1;
    return whittle_protobuf_take_one(in, at, end, of, value, around, is_fresh);
}

/*: end_of_protobuf_field */
#endif
