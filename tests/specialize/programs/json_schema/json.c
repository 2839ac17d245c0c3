/* Writes and reads structures as JSON, as a table of their members says. */
#include "json.h"
#include <string.h>

struct writer {
    char *text;
    size_t size, used;
};

static void put(struct writer *writer, char c)
{
    if (writer->used + 1 < writer->size)
        writer->text[writer->used] = c;
    writer->used++;
}

static void put_text(struct writer *writer, const char *text)
{
    put(writer, '"');
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            put(writer, '\\');
        put(writer, *text);
    }
    put(writer, '"');
}

static void put_word(struct writer *writer, const char *word)
{
    while (*word != '\0')
        put(writer, *word++);
}

static void put_int(struct writer *writer, int number)
{
    char digits[12];
    int count = 0;
    unsigned value = number < 0 ? 0u - (unsigned)number : (unsigned)number;
    do
        digits[count++] = (char)('0' + value % 10);
    while ((value /= 10) != 0);
    if (number < 0)
        put(writer, '-');
    while (count > 0)
        put(writer, digits[--count]);
}

static void put_object(struct writer *writer, const struct json_schema *schema, const void *object)
{
    put(writer, '{');
    for (int i = 0; i < schema->count; i++) {
        const struct json_member *member = &schema->members[i];
        const void *value = (const char *)object + member->offset;
        if (i > 0)
            put(writer, ',');
        put_text(writer, member->name);
        put(writer, ':');
        switch (member->type) {
        case JSON_INT:
            put_int(writer, *(const int *)value);
            break;
        case JSON_BOOL:
            put_word(writer, *(const int *)value ? "true" : "false");
            break;
        case JSON_TEXT:
            put_text(writer, value);
            break;
        case JSON_OBJECT:
            put_object(writer, member->schema, value);
            break;
        }
    }
    put(writer, '}');
}

size_t json_write(const struct json_schema *schema, const void *object, char *text, size_t size)
{
    struct writer writer = { text, size, 0 };
    put_object(&writer, schema, object);
    if (size > 0)
        text[writer.used < size ? writer.used : size - 1] = '\0';
    return writer.used;
}

struct reader {
    const char *at;
};

static int take(struct reader *reader, char c)
{
    while (*reader->at == ' ' || *reader->at == '\n' || *reader->at == '\t' || *reader->at == '\r')
        reader->at++;
    if (*reader->at != c)
        return 0;
    reader->at++;
    return 1;
}

static int take_word(struct reader *reader, const char *word)
{
    const size_t length = strlen(word);
    if (strncmp(reader->at, word, length) != 0)
        return 0;
    reader->at += length;
    return 1;
}

static int get_text(struct reader *reader, char *text, size_t size)
{
    size_t used = 0;
    if (!take(reader, '"'))
        return -1;
    while (*reader->at != '"') {
        if (*reader->at == '\\')
            reader->at++;
        if (*reader->at == '\0' || used + 1 >= size)
            return -1;
        text[used++] = *reader->at++;
    }
    reader->at++;
    text[used] = '\0';
    return 0;
}

static int get_int(struct reader *reader, int *number)
{
    unsigned value = 0;
    const int negative = take(reader, '-');
    if (*reader->at < '0' || *reader->at > '9')
        return -1;
    while (*reader->at >= '0' && *reader->at <= '9')
        value = 10 * value + (unsigned)(*reader->at++ - '0');
    *number = (int)(negative ? 0u - value : value);
    return 0;
}

static int get_bool(struct reader *reader, int *value)
{
    *value = take_word(reader, "true");
    return *value || take_word(reader, "false") ? 0 : -1;
}

static int get_object(struct reader *reader, const struct json_schema *schema, void *object);

static int get_value(struct reader *reader, const struct json_member *member, void *value)
{
    switch (member->type) {
    case JSON_INT:
        return get_int(reader, value);
    case JSON_BOOL:
        return get_bool(reader, value);
    case JSON_TEXT:
        return get_text(reader, value, member->size);
    case JSON_OBJECT:
        return get_object(reader, member->schema, value);
    }
    return -1;
}

static const struct json_member *find(const struct json_schema *schema, const char *name, int *index)
{
    for (int i = 0; i < schema->count; i++)
        if (strcmp(schema->members[i].name, name) == 0) {
            *index = i;
            return &schema->members[i];
        }
    return NULL;
}

static int get_object(struct reader *reader, const struct json_schema *schema, void *object)
{
    unsigned seen = 0;
    if (!take(reader, '{'))
        return -1;
    if (!take(reader, '}')) {
        do {
            char name[32];
            int index;
            if (get_text(reader, name, sizeof name) != 0 || !take(reader, ':'))
                return -1;
            const struct json_member *member = find(schema, name, &index);
            if (member == NULL)
                return -1;
            take(reader, ' ');
            if (get_value(reader, member, (char *)object + member->offset) != 0)
                return -1;
            seen |= 1u << index;
        } while (take(reader, ','));
        if (!take(reader, '}'))
            return -1;
    }
    for (int i = 0; i < schema->count; i++)
        if (schema->members[i].required && !(seen >> i & 1))
            return -1;
    return 0;
}

int json_read(const struct json_schema *schema, void *object, const char *text)
{
    struct reader reader = { text };
    if (get_object(&reader, schema, object) != 0)
        return -1;
    take(&reader, ' ');
    return *reader.at == '\0' ? 0 : -1;
}
