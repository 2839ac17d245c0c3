/* SPDX-License-Identifier: MIT-0 */
/* A value as JSON on one line, by its table: values.h. */
#ifndef WHITTLE_VALUE_PRINT_H
#define WHITTLE_VALUE_PRINT_H
#include <whittle/values.h>

/*: value_print needs values */
/* Where text goes: a file, or a buffer as far as there is room. */
struct whittle_value_text {
    FILE *file;
    char *buffer;
    size_t room;
    size_t length;      /* of all that was said */
    bool has_failed;
    bool is_too_deep;   /* or led back to itself: from there on no pointer was followed */
};

WHITTLE_SHARED void whittle_value_say(struct whittle_value_text *out, const char *text, size_t n)
{
    if (out->file != NULL)
        out->has_failed |= fwrite(text, 1, n, out->file) != n;
    else if (out->length < out->room)
        memcpy(out->buffer + out->length, text, n < out->room - out->length ? n : out->room - out->length);
    out->length += n;
}

WHITTLE_SHARED void whittle_value_say_text(struct whittle_value_text *out, const char *text, size_t n)
{
    char escaped[8];
    size_t i;
    whittle_value_say(out, "\"", 1);
    for (i = 0; i < n; i++) {
        const unsigned byte = (unsigned char)text[i];
        if (byte == '"' || byte == '\\')
            whittle_value_say(out, "\\", 1);
        if (byte >= 0x20 && byte < 0x7f)
            whittle_value_say(out, text + i, 1);
        else
            whittle_value_say(out, escaped, (size_t)snprintf(escaped, sizeof escaped, "\\u%04x", byte));
    }
    whittle_value_say(out, "\"", 1);
}

WHITTLE_SHARED void whittle_value_say_bytes(struct whittle_value_text *out, const char *bytes, size_t n)
{
    static const char digits[] = "0123456789abcdef";
    size_t i;
    whittle_value_say(out, "\"", 1);
    for (i = 0; i < n; i++) {
        whittle_value_say(out, &digits[(unsigned char)bytes[i] >> 4], 1);
        whittle_value_say(out, &digits[bytes[i] & 15], 1);
    }
    whittle_value_say(out, "\"", 1);
}

WHITTLE_SHARED void whittle_value_say_name(struct whittle_value_text *out, const char *name)
{
    whittle_value_say(out, "\"", 1);
    whittle_value_say(out, name, strlen(name));
    whittle_value_say(out, "\": ", 3);
}

/* With a point, whatever the language of the program; what is no number is a text. */
WHITTLE_SHARED void whittle_value_say_float(struct whittle_value_text *out, const struct whittle_value_type *type, const char *at)
{
    char text[40];
    float single = 0;
    double number = 0;
    size_t i, n;
    if (type->size == sizeof single) {
        memcpy(&single, at, sizeof single);
        number = (double)single;
    } else {
        memcpy(&number, at, sizeof number);
    }
    if (number - number != 0) {
        const char *const word = number > 0 ? "\"inf\"" : number < 0 ? "\"-inf\"" : "\"nan\"";
        whittle_value_say(out, word, strlen(word));
        return;
    }
    n = (size_t)snprintf(text, sizeof text, type->size == sizeof single ? "%.9g" : "%.17g", number);
    for (i = 0; i < n; i++)
        if (strchr("+-0123456789e", text[i]) == NULL)
            text[i] = '.';
    whittle_value_say(out, text, n);
}

WHITTLE_SHARED void whittle_value_say_number(struct whittle_value_text *out, const struct whittle_values *all,
                                             const struct whittle_value_type *type, const char *at)
{
    const int64_t number = whittle_value_number(type, at);
    char text[24];
    uint32_t i;
    for (i = 0; type->kind == WHITTLE_VALUE_ENUMERATION && i < type->count; i++)
        if (all->names[type->first + i].value == number) {
            const char *const name = all->names[type->first + i].name;
            whittle_value_say_text(out, name, strlen(name));
            return;
        }
    if (type->kind == WHITTLE_VALUE_BOOLEAN)
        whittle_value_say(out, number != 0 ? "true" : "false", number != 0 ? 4 : 5);
    else if (type->kind == WHITTLE_VALUE_UNSIGNED)
        whittle_value_say(out, text, (size_t)snprintf(text, sizeof text, "%llu", (unsigned long long)number));
    else
        whittle_value_say(out, text, (size_t)snprintf(text, sizeof text, "%lld", (long long)number));
}

/* A value as JSON on one line; what it cannot be is null, as is what is too deep. */
WHITTLE_SHARED void whittle_value_write(struct whittle_value_text *out, const struct whittle_values *all, uint32_t of, const char *value,
                                       const char *around, unsigned depth)
{
    struct whittle_value_trail trail = {depth, 0, NULL, 0};
    size_t open = 0;    /* braces that end behind this value */
    bool goes_on = true;
    while (goes_on) {
        const struct whittle_value_type *const type = &all->types[of];
        const struct whittle_value_part *part = NULL;
        const char *text;
        size_t length;
        uint32_t count, i;
        goes_on = false;
        switch ((enum whittle_value_kind)type->kind) {
        case WHITTLE_VALUE_NOTHING:
            whittle_value_say(out, "null", 4);
            break;
        case WHITTLE_VALUE_BOOLEAN:
        case WHITTLE_VALUE_SIGNED:
        case WHITTLE_VALUE_UNSIGNED:
        case WHITTLE_VALUE_ENUMERATION:
            whittle_value_say_number(out, all, type, value);
            break;
        case WHITTLE_VALUE_FLOAT:
            whittle_value_say_float(out, type, value);
            break;
        case WHITTLE_VALUE_RAW:
            whittle_value_say_bytes(out, value, type->size);
            break;
        case WHITTLE_VALUE_STRUCTURE:
            whittle_value_say(out, "{", 1);
            open++;
            for (i = 0; i + 1 < type->count; i++) {
                part = &all->parts[type->first + i];
                whittle_value_say_name(out, part->name);
                whittle_value_write(out, all, part->type, value + part->at, value, trail.depth);
                whittle_value_say(out, ", ", 2);
            }
            part = type->count == 0 ? NULL : &all->parts[type->first + i];
            break;
        case WHITTLE_VALUE_UNION:
            part = &all->parts[type->first];
            count = whittle_value_chosen(all, type, value);
            whittle_value_say(out, "{", 1);
            open++;
            whittle_value_say_name(out, part->name);
            whittle_value_write(out, all, part->type, value + part->at, value, trail.depth);
            part = count >= WHITTLE_VALUE_NO_VALUE ? NULL : &all->parts[count];
            if (part != NULL)
                whittle_value_say(out, ", ", 2);
            break;
        case WHITTLE_VALUE_TEXT:
        case WHITTLE_VALUE_INLINE_TEXT:
            if (whittle_value_text(type, value, &text, &length))
                whittle_value_say_text(out, text, length);
            else
                whittle_value_say(out, "null", 4);
            break;
        case WHITTLE_VALUE_BYTES:
        case WHITTLE_VALUE_INLINE_BYTES:
        case WHITTLE_VALUE_COUNTED_BYTES:
        case WHITTLE_VALUE_COUNTED_TEXT:
            if (!whittle_value_items(type, value, around, &count, &text))
                whittle_value_say(out, "null", 4);
            else if (type->kind == WHITTLE_VALUE_COUNTED_TEXT)
                whittle_value_say_text(out, text, count);
            else
                whittle_value_say_bytes(out, text, count);
            break;
        case WHITTLE_VALUE_ARRAY:
        case WHITTLE_VALUE_INLINE_ARRAY:
        case WHITTLE_VALUE_COUNTED_ARRAY:
            if (type->kind == WHITTLE_VALUE_COUNTED_ARRAY)
                out->is_too_deep |= trail.depth >= WHITTLE_VALUE_DEPTH;
            if ((type->kind == WHITTLE_VALUE_COUNTED_ARRAY && out->is_too_deep) || !whittle_value_items(type, value, around, &count, &text)) {
                whittle_value_say(out, "null", 4);
                break;
            }
            whittle_value_say(out, "[", 1);
            for (i = 0; i < count; i++) {
                whittle_value_say(out, ", ", i == 0 ? 0 : 2);
                whittle_value_write(out, all, type->of, text + (size_t)i * all->types[type->of].size, NULL, trail.depth + 1);
            }
            whittle_value_say(out, "]", 1);
            break;
        case WHITTLE_VALUE_OPTIONAL:
        case WHITTLE_VALUE_REFERENCE:
            text = whittle_value_pointer(value);
            out->is_too_deep |= text != NULL && !whittle_value_follow(&trail, text, type->of);
            if (text == NULL || out->is_too_deep) {
                whittle_value_say(out, "null", 4);
                break;
            }
            of = type->of, value = text, around = NULL, goes_on = true;
            break;
        }
        if (part != NULL) {
            whittle_value_say_name(out, part->name);
            around = value;
            of = part->type, value += part->at, goes_on = true;
        }
    }
    for (; open > 0; open--)
        whittle_value_say(out, "}", 1);
}

/* As snprintf: the length of the whole text; as much of it as there is room for, and a NUL. */
WHITTLE_SHARED size_t whittle_value_format(const struct whittle_values *all, uint32_t of, const void *value, char *buffer, size_t room)
{
    struct whittle_value_text out = {NULL, buffer, buffer == NULL || room == 0 ? 0 : room - 1, 0, false, false};
    whittle_value_write(&out, all, of, (const char *)value, NULL, 0);
    if (buffer != NULL && room != 0)
        buffer[out.length < out.room ? out.length : out.room] = 0;
    return out.length;
}

WHITTLE_SHARED bool whittle_value_print(const struct whittle_values *all, uint32_t of, const void *value, FILE *file)
{
    struct whittle_value_text out = {file, NULL, 0, 0, false, false};
    whittle_value_write(&out, all, of, (const char *)value, NULL, 0);
    return !out.has_failed && !out.is_too_deep;
}

/*: end_of_value_print */
#endif
