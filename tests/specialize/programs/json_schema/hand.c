#include "json.h"
#include <string.h>

struct writer {
    char *text;
    size_t size, used;
};

static void put(struct writer *writer, const char *text, size_t length)
{
    if (writer->used + 1 < writer->size) {
        const size_t room = writer->size - 1 - writer->used;
        memcpy(writer->text + writer->used, text, length < room ? length : room);
    }
    writer->used += length;
}

#define PUT(writer, word) put(writer, word, sizeof word - 1)

static void put_int(struct writer *writer, int number)
{
    char digits[12], *const end = digits + sizeof digits, *at = end;
    unsigned value = number < 0 ? 0u - (unsigned)number : (unsigned)number;
    do
        *--at = (char)('0' + value % 10);
    while ((value /= 10) != 0);
    if (number < 0)
        *--at = '-';
    put(writer, at, (size_t)(end - at));
}

size_t write_device(const struct device *device, char *text, size_t size)
{
    struct writer writer = { text, size, 0 };
    char name[40], *to = name;
    PUT(&writer, "{\"number\":");
    put_int(&writer, device->number);
    if (device->active)
        PUT(&writer, ",\"active\":true,\"name\":\"");
    else
        PUT(&writer, ",\"active\":false,\"name\":\"");
    for (const char *from = device->name; *from != '\0'; from++) {
        if (*from == '"' || *from == '\\')
            *to++ = '\\';
        *to++ = *from;
    }
    put(&writer, name, (size_t)(to - name));
    PUT(&writer, "\",\"place\":{\"x\":");
    put_int(&writer, device->place.x);
    PUT(&writer, ",\"y\":");
    put_int(&writer, device->place.y);
    PUT(&writer, "}}");
    if (size > 0)
        text[writer.used < size ? writer.used : size - 1] = '\0';
    return writer.used;
}

static inline int take(const char **at, char c)
{
    while (**at == ' ' || **at == '\n' || **at == '\t' || **at == '\r')
        ++*at;
    return **at == c ? ++*at, 1 : 0;
}

static int get_text(const char **at, char *text, size_t size)
{
    size_t used = 0;
    if (!take(at, '"'))
        return -1;
    for (; **at != '"'; text[used++] = *(*at)++) {
        if (**at == '\\')
            ++*at;
        if (**at == '\0' || used + 1 >= size)
            return -1;
    }
    ++*at;
    text[used] = '\0';
    return 0;
}

static int get_int(const char **at, int *number)
{
    unsigned value = 0;
    const int negative = take(at, '-');
    if (**at < '0' || **at > '9')
        return -1;
    while (**at >= '0' && **at <= '9')
        value = 10 * value + (unsigned)(*(*at)++ - '0');
    *number = (int)(negative ? 0u - value : value);
    return 0;
}

/* `which` names the members, and takes the value of one of them: its number, or -1. */
static inline int get_object(const char **at, void *object, int (*which)(const char **at, const char *name, void *object), unsigned needed)
{
    unsigned seen = 0;
    char name[32];
    if (!take(at, '{'))
        return -1;
    if (!take(at, '}')) {
        do {
            if (get_text(at, name, sizeof name) != 0 || !take(at, ':'))
                return -1;
            take(at, ' ');
            const int index = which(at, name, object);
            if (index < 0)
                return -1;
            seen |= 1u << index;
        } while (take(at, ','));
        if (!take(at, '}'))
            return -1;
    }
    return (seen & needed) == needed ? 0 : -1;
}

static inline int get_place(const char **at, const char *name, void *object)
{
    struct place *place = object;
    const int y = *name == 'y';
    return (*name == 'x' || y) && name[1] == '\0' && get_int(at, y ? &place->y : &place->x) == 0 ? y : -1;
}

static inline int get_device(const char **at, const char *name, void *object)
{
    struct device *device = object;
    if (strcmp(name, "number") == 0)
        return get_int(at, &device->number) == 0 ? 0 : -1;
    if (strcmp(name, "active") == 0) {
        device->active = strncmp(*at, "true", 4) == 0;
        if (!device->active && strncmp(*at, "false", 5) != 0)
            return -1;
        *at += device->active ? 4 : 5;
        return 1;
    }
    if (strcmp(name, "name") == 0)
        return get_text(at, device->name, sizeof device->name) == 0 ? 2 : -1;
    return strcmp(name, "place") == 0 && get_object(at, &device->place, get_place, 3) == 0 ? 3 : -1;
}

int read_device(struct device *device, const char *text)
{
    if (get_object(&text, device, get_device, 5) != 0)
        return -1;
    take(&text, ' ');
    return *text == '\0' ? 0 : -1;
}
