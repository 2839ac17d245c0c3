/* SPDX-License-Identifier: MIT-0 */
/* What a field's new value replaces, and what stands where none came: protobuf_in.h. */
#ifndef WHITTLE_PROTOBUF_ABSENT_H
#define WHITTLE_PROTOBUF_ABSENT_H
#include <whittle/protobuf_take.h>

/*: protobuf_absent needs protobuf_take */
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
        count = whittle_value_count(type, around);
        whittle_value_set_count(type, around, 0);
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

/*: end_of_protobuf_absent */
#endif
