/* SPDX-License-Identifier: MIT-0 */
/*
 * Protobuf's messages into values. Fields come in any order and any number of times: the last number, text or arm stays, messages are
 * merged, lists grow. What has no field of its number, or another wire type, is skipped. The value can be released at any time: what is
 * allocated hangs on it, counts say how much of it is there, and discriminants say which arm. In the end what did not come gets its default.
 */
#ifndef WHITTLE_PROTOBUF_IN_H
#define WHITTLE_PROTOBUF_IN_H
#include <whittle/protobuf.h>

/*: protobuf_in needs protobuf codec_memory codec_decoded */
/* Fields of a message of which it is kept without an allocation what has come. */
#define WHITTLE_PROTOBUF_FEW 24

struct whittle_protobuf_in {
    const struct whittle_values *all;
    const struct whittle_protobuf_field *fields;
    struct whittle_codec_memory memory;
    unsigned depth;
};

/* Near the end. */
WHITTLE_APART const char *whittle_protobuf_close_varint(const char *at, const char *end, uint64_t *number)
{
    unsigned shift;
    *number = 0;
    for (shift = 0; shift < 70 && at < end; shift += 7) {
        const unsigned char byte = (unsigned char)*at++;
        *number |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return at;
    }
    return NULL;
}

/* The first eight bytes at once. */
WHITTLE_IN_PLACE const char *whittle_protobuf_long_varint(const char *at, const char *end, uint64_t *number)
{
    uint64_t bytes, ends;
    if (end - at < 10)
        return whittle_protobuf_close_varint(at, end, number);
    memcpy(&bytes, at, sizeof bytes);
    bytes = whittle_protobuf_eight(bytes);
    ends = ~bytes & 0x8080808080808080u;
    /* Nothing behind the byte that ends the number. */
    bytes &= 0x7f7f7f7f7f7f7f7fu & (ends ^ (ends - 1));
    bytes = (bytes & 0x7f007f007f007f00u) >> 1 | (bytes & 0x007f007f007f007fu);
    bytes = (bytes & 0x3fff00003fff0000u) >> 2 | (bytes & 0x00003fff00003fffu);
    *number = (bytes & 0x0fffffff00000000u) >> 4 | (bytes & 0x0fffffffu);
    if (ends != 0)
        return at + (unsigned)__builtin_ctzll(ends) / 8 + 1;
    *number |= (uint64_t)((unsigned char)at[8] & 0x7f) << 56;
    if ((unsigned char)at[8] < 0x80)
        return at + 9;
    *number |= (uint64_t)(unsigned char)at[9] << 63;
    return (unsigned char)at[9] < 0x80 ? at + 10 : NULL;
}

WHITTLE_IN_PLACE const char *whittle_protobuf_varint(const char *at, const char *end, uint64_t *number)
{
    if (WHITTLE_LIKELY(at < end && (unsigned char)*at < 0x80)) {
        *number = (unsigned char)*at;
        return at + 1;
    }
    return whittle_protobuf_long_varint(at, end, number);
}

/* A field's number and wire type. */
WHITTLE_IN_PLACE const char *whittle_protobuf_tag(const char *at, const char *end, uint32_t *tag)
{
    uint64_t number;
    at = whittle_protobuf_varint(at, end, &number);
    if (at == NULL || number > UINT32_MAX || number < 8)
        return NULL;
    *tag = (uint32_t)number;
    return at;
}

/* The end of what a length says. */
WHITTLE_IN_PLACE const char *whittle_protobuf_counted(const char **at, const char *end)
{
    uint64_t length;
    *at = whittle_protobuf_varint(*at, end, &length);
    return *at == NULL || length > (uint64_t)(end - *at) ? NULL : *at + length;
}

WHITTLE_SHARED const char *whittle_protobuf_skip(struct whittle_protobuf_in *in, const char *at, const char *end, uint32_t tag)
{
    uint64_t number;
    uint32_t inner;
    switch (tag & 7) {
    case WHITTLE_PROTOBUF_VARINT:
        return whittle_protobuf_varint(at, end, &number);
    case WHITTLE_PROTOBUF_EIGHT:
        return end - at < 8 ? NULL : at + 8;
    case WHITTLE_PROTOBUF_LENGTH:
        return whittle_protobuf_counted(&at, end);
    case WHITTLE_PROTOBUF_FOUR:
        return end - at < 4 ? NULL : at + 4;
    case WHITTLE_PROTOBUF_GROUP:
        if (++in->depth > WHITTLE_MAX_DEPTH)
            return NULL;
        do {
            at = whittle_protobuf_tag(at, end, &inner);
            if (at != NULL && (inner & 7) != WHITTLE_PROTOBUF_END)
                at = whittle_protobuf_skip(in, at, end, inner);
        } while (at != NULL && (inner & 7) != WHITTLE_PROTOBUF_END);
        if (at == NULL || inner >> 3 != tag >> 3)
            return NULL;
        in->depth--;
        return at;
    default:
        return NULL;
    }
}

WHITTLE_SHARED void whittle_protobuf_store(const struct whittle_value_type *type, char *value, uint64_t number)
{
    const uint8_t one = (uint8_t)number;
    const uint16_t two = (uint16_t)number;
    const uint32_t four = (uint32_t)number;
    switch (type->size) {
    case 1:
        memcpy(value, &one, sizeof one);
        break;
    case 2:
        memcpy(value, &two, sizeof two);
        break;
    case 4:
        memcpy(value, &four, sizeof four);
        break;
    default:
        memcpy(value, &number, sizeof number);
        break;
    }
}

/* A number of its message's as the type has it: cut to 32 bits, as protobuf says; false where the type has no such number. */
WHITTLE_SHARED bool whittle_protobuf_accept(const struct whittle_values *all, const struct whittle_value_type *type, uint64_t *number)
{
    const unsigned bits = 8u * type->wire;
    uint32_t i;
    if (type->kind == WHITTLE_VALUE_BOOLEAN) {
        *number = *number != 0;
        return true;
    }
    if (bits >= 64)
        return true;
    if (type->kind == WHITTLE_VALUE_UNSIGNED) {
        *number = (uint32_t)*number;
        return *number >> bits == 0;
    }
    *number = (uint64_t)(int64_t)(int32_t)(uint32_t)*number;
    if (bits < 32 && (*number + (UINT64_C(1) << (bits - 1))) >> bits != 0)
        return false;
    if (type->kind != WHITTLE_VALUE_ENUMERATION || type->labels == 0)
        return true;
    for (i = 0; i < type->count; i++)
        if (all->names[type->first + i].value == (int64_t)*number)
            return true;
    return false;
}

WHITTLE_SHARED const char *whittle_protobuf_take_fixed(const struct whittle_value_type *type, const char *at, const char *end, char *value)
{
    size_t i;
    if ((size_t)(end - at) < type->size)
        return NULL;
    for (i = 0; i < type->size; i++)
        value[i] = at[WHITTLE_BIG_ENDIAN ? type->size - 1 - i : i];
    return at + type->size;
}

WHITTLE_IN_PLACE const char *whittle_protobuf_take_number(struct whittle_protobuf_in *in, const struct whittle_value_type *type, const char *at,
                                                     const char *end, char *value)
{
    uint64_t number;
    if (type->kind == WHITTLE_VALUE_FLOAT)
        return whittle_protobuf_take_fixed(type, at, end, value);
    at = whittle_protobuf_varint(at, end, &number);
    if (at == NULL || !whittle_protobuf_accept(in->all, type, &number))
        return NULL;
    whittle_protobuf_store(type, value, number);
    return at;
}

/* Releases a value, and leaves all its bytes zero. */
WHITTLE_SHARED void whittle_protobuf_drop(const struct whittle_values *all, uint32_t of, char *value, char *around)
{
    const struct whittle_value_type *const type = &all->types[of];
    char *items = value, *const nothing = NULL;
    uint32_t count = type->most, i;
    switch ((enum whittle_value_kind)type->kind) {
    case WHITTLE_VALUE_NOTHING:
        return;
    case WHITTLE_VALUE_STRUCTURE:
        for (i = 0; i < type->count; i++) {
            const struct whittle_value_part *const part = &all->parts[type->first + i];
            whittle_protobuf_drop(all, part->type, value + part->at, value);
        }
        return;
    case WHITTLE_VALUE_UNION: {
        const struct whittle_value_part *const by = &all->parts[type->first];
        const uint32_t chosen = whittle_value_chosen(all, type, value);
        if (chosen != WHITTLE_VALUE_NO_PART && chosen != WHITTLE_VALUE_NO_VALUE)
            whittle_protobuf_drop(all, all->parts[chosen].type, value + all->parts[chosen].at, value);
        whittle_protobuf_drop(all, by->type, value + by->at, value);
        return;
    }
    case WHITTLE_VALUE_TEXT:
    case WHITTLE_VALUE_OPTIONAL:
    case WHITTLE_VALUE_REFERENCE:
        memcpy(&items, value, sizeof(char *));
        if (items != NULL && type->kind != WHITTLE_VALUE_TEXT)
            whittle_protobuf_drop(all, type->of, items, NULL);
        free(items);
        memcpy(value, &nothing, sizeof nothing);
        return;
    case WHITTLE_VALUE_COUNTED_BYTES:
    case WHITTLE_VALUE_COUNTED_TEXT:
    case WHITTLE_VALUE_COUNTED_ARRAY:
        memcpy(&count, value + type->count_at, sizeof count);
        memcpy(&items, value + type->data_at, sizeof items);
        if (type->kind == WHITTLE_VALUE_COUNTED_ARRAY && !whittle_protobuf_is_number(&all->types[type->of]))
            for (i = 0; i < count; i++)
                whittle_protobuf_drop(all, type->of, items + (size_t)i * all->types[type->of].size, NULL);
        free(items);
        memset(value + type->count_at, 0, sizeof count);
        memcpy(value + type->data_at, &nothing, sizeof nothing);
        if (type->count == 1) {
            memset(value + type->count_at - sizeof count, 0, sizeof count);
            value[type->data_at + sizeof items] = 0;
        }
        return;
    case WHITTLE_VALUE_INLINE_ARRAY:
    case WHITTLE_VALUE_INLINE_BYTES:
        memcpy(&count, around + type->count_at, sizeof count);
        memset(around + type->count_at, 0, sizeof count);
        break;
    default:
        break;
    }
    if (whittle_protobuf_is_list(type))
        for (i = 0; i < count; i++)
            whittle_protobuf_drop(all, type->of, value + (size_t)i * all->types[type->of].size, NULL);
    else if (type->kind == WHITTLE_VALUE_BYTES || type->kind == WHITTLE_VALUE_INLINE_BYTES)
        memset(value, 0, count);
    else
        memset(value, 0, type->kind == WHITTLE_VALUE_INLINE_TEXT ? (size_t)type->most + 1 : type->size);
}

/* What did not come: the empty text where one must be, the arm of a union that needs no field; false where there is no such value. */
WHITTLE_SHARED bool whittle_protobuf_absent(struct whittle_protobuf_in *in, uint32_t of, char *value)
{
    const struct whittle_value_type *const type = &in->all->types[of];
    uint64_t number = 0;
    uint32_t i;
    char *storage;
    switch ((enum whittle_value_kind)type->kind) {
    case WHITTLE_VALUE_ENUMERATION:
        return whittle_protobuf_accept(in->all, type, &number);
    case WHITTLE_VALUE_TEXT:
    case WHITTLE_VALUE_REFERENCE: {
        const bool is_text = type->kind == WHITTLE_VALUE_TEXT;
        memcpy(&storage, value, sizeof storage);
        if (storage == NULL) {
            storage = (char *)whittle_codec_allocate(&in->memory, is_text ? 1 : in->all->types[type->of].size, 1, true);
            memcpy(value, &storage, sizeof storage);
        }
        return storage != NULL && (is_text || whittle_protobuf_absent(in, type->of, storage));
    }
    case WHITTLE_VALUE_STRUCTURE:
        for (i = 0; i < type->count; i++) {
            const struct whittle_value_part *const part = &in->all->parts[type->first + i];
            if (!whittle_protobuf_absent(in, part->type, value + part->at))
                return false;
        }
        return true;
    case WHITTLE_VALUE_UNION: {
        const struct whittle_value_part *const by = &in->all->parts[type->first];
        const struct whittle_protobuf_field *const field = &in->fields[type->first];
        if (field->number == 0) {
            if (field->label == WHITTLE_PROTOBUF_NONE)
                return false;
            number = (uint64_t)in->all->labels[field->label].value;
            whittle_protobuf_store(&in->all->types[by->type], value + by->at, number);
            return true;
        }
        i = whittle_value_chosen(in->all, type, value);
        if (i == WHITTLE_VALUE_NO_PART || i == WHITTLE_VALUE_NO_VALUE)
            return i == WHITTLE_VALUE_NO_PART;
        return whittle_protobuf_absent(in, in->all->parts[i].type, value + in->all->parts[i].at);
    }
    case WHITTLE_VALUE_ARRAY:
        for (i = 0; i < type->most; i++)
            if (!whittle_protobuf_absent(in, type->of, value + (size_t)i * in->all->types[type->of].size))
                return false;
        return true;
    default:
        return true;
    }
}

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
            memcpy(around + type->count_at, &count, sizeof count);
    }
    if (length > 0)
        memcpy(storage, bytes, length);
    if (is_text)
        storage[length] = 0;
    return true;
}

/* One value behind its tag, whose wire type is its own. */
WHITTLE_SHARED const char *whittle_protobuf_take_one(struct whittle_protobuf_in *in, const char *at, const char *end, uint32_t of, char *value,
                                                char *around, bool is_fresh)
{
    const struct whittle_value_type *const type = &in->all->types[of];
    const char *stop;
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
    const bool is_plain = item->size == 4 && item->wire == 4 && item->labels == 0 && item->kind != WHITTLE_VALUE_BOOLEAN;
    uint64_t number;
    uint32_t i, word;
    if (item->kind == WHITTLE_VALUE_FLOAT && !WHITTLE_BIG_ENDIAN) {
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
    uint32_t count = *room, more = 1, total;
    if (!is_packed && (tag & 7) != whittle_protobuf_wire_of(item))
        return whittle_protobuf_skip(in, at, end, tag);
    if (is_packed) {
        end = whittle_protobuf_counted(&at, end);
        if (end == NULL || end - at > WHITTLE_PROTOBUF_MOST)
            return NULL;
        if (item->kind == WHITTLE_VALUE_FLOAT && (size_t)(end - at) % item->size != 0)
            return NULL;
        more = item->kind == WHITTLE_VALUE_FLOAT ? (uint32_t)((size_t)(end - at) / item->size) : whittle_protobuf_count_numbers(at, end);
        if (more == 0)
            return at == end ? end : NULL;
    }
    if (type->kind == WHITTLE_VALUE_COUNTED_ARRAY)
        memcpy(&count, value + type->count_at, sizeof count);
    else if (type->kind == WHITTLE_VALUE_INLINE_ARRAY)
        memcpy(&count, around + type->count_at, sizeof count);
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
        memcpy(around + type->count_at, &total, sizeof total);
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
    const struct whittle_value_type *type = &in->all->types[of];
    char *target;
    if (whittle_protobuf_is_list(type))
        return whittle_protobuf_take_items(in, at, end, tag, of, value, around, is_fresh, seen);
    if (type->kind == WHITTLE_VALUE_OPTIONAL || type->kind == WHITTLE_VALUE_REFERENCE) {
        of = type->of;
        type = &in->all->types[of];
        if ((tag & 7) != whittle_protobuf_wire_of(type))
            return whittle_protobuf_skip(in, at, end, tag);
        memcpy(&target, value, sizeof target);
        is_fresh = target == NULL;
        if (is_fresh) {
            target = (char *)whittle_codec_allocate(&in->memory, type->size, 1, true);
            if (target == NULL)
                return NULL;
            memcpy(value, &target, sizeof target);
        }
        value = target, around = NULL;
    } else if ((tag & 7) != whittle_protobuf_wire_of(type) || type->kind == WHITTLE_VALUE_NOTHING) {
        return whittle_protobuf_skip(in, at, end, tag);
    } else {
        is_fresh = is_fresh && *seen == 0;
    }
    *seen = 1;
    return whittle_protobuf_take_one(in, at, end, of, value, around, is_fresh);
}

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
