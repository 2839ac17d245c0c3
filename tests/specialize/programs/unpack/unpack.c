/* Takes binary data apart by a format string. */
#include "unpack.h"

struct item {
    char letter;
    int count;
};

static const char *next_item(const char *format, struct item *item)
{
    item->count = 1;
    if (*format >= '0' && *format <= '9') {
        item->count = 0;
        while (*format >= '0' && *format <= '9')
            item->count = 10 * item->count + (*format++ - '0');
    }
    item->letter = *format;
    return *format == '\0' ? format : format + 1;
}

static int width(char letter)
{
    switch (letter) {
    case 'x': case 's': case 'b': case 'B':
        return 1;
    case 'h': case 'H':
        return 2;
    case 'i': case 'I':
        return 4;
    case 'q': case 'Q':
        return 8;
    default:
        return -1;
    }
}

static uint64_t number(const unsigned char *data, int bytes, int big)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value = value << 8 | data[big ? i : bytes - 1 - i];
    return value;
}

static int64_t sign(uint64_t value, int bytes)
{
    const uint64_t top = (uint64_t)1 << (8 * bytes - 1);
    return (int64_t)((value ^ top) - top);
}

static const char *byte_order(const char *format, int *big)
{
    *big = *format == '>';
    return *format == '<' || *format == '>' ? format + 1 : format;
}

long unpack_size(const char *format)
{
    long size = 0;
    int big;
    format = byte_order(format, &big);
    while (*format != '\0') {
        struct item item;
        format = next_item(format, &item);
        if (width(item.letter) < 0)
            return -1;
        size += (long)item.count * width(item.letter);
    }
    return size;
}

int unpack(const char *format, const unsigned char *data, size_t size, union unpacked *values, int room)
{
    const long needed = unpack_size(format);
    int count = 0, big;
    if (needed < 0 || size < (size_t)needed)
        return -1;
    format = byte_order(format, &big);
    while (*format != '\0') {
        struct item item;
        format = next_item(format, &item);
        const int bytes = width(item.letter);
        if (item.letter == 'x') {
            data += item.count;
        } else if (item.letter == 's') {
            if (count == room)
                return -1;
            values[count++].bytes = data;
            data += item.count;
        } else {
            for (; item.count > 0; item.count--) {
                if (count == room)
                    return -1;
                const uint64_t value = number(data, bytes, big);
                if (item.letter >= 'a')
                    values[count++].integer = sign(value, bytes);
                else
                    values[count++].number = value;
                data += bytes;
            }
        }
    }
    return count;
}
