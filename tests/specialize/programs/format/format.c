/* A small printf into a buffer. */
#include "format.h"

struct sink {
    char *buffer;
    size_t size, used;
};

struct conversion {
    int left;
    int zeros;
    int width;
};

static void put(struct sink *sink, char c)
{
    if (sink->used + 1 < sink->size)
        sink->buffer[sink->used] = c;
    sink->used++;
}

static void put_many(struct sink *sink, char c, int count)
{
    while (count-- > 0)
        put(sink, c);
}

static void put_padded(struct sink *sink, const struct conversion *conversion, const char *text, int length)
{
    if (!conversion->left)
        put_many(sink, ' ', conversion->width - length);
    for (int i = 0; i < length; i++)
        put(sink, text[i]);
    if (conversion->left)
        put_many(sink, ' ', conversion->width - length);
}

static void put_number(struct sink *sink, const struct conversion *conversion, unsigned value, unsigned base, int negative)
{
    char digits[40];
    char *const end = digits + sizeof digits;
    char *at = end;
    do {
        *--at = "0123456789abcdef"[value % base];
        value /= base;
    } while (value != 0);
    if (conversion->zeros && !conversion->left) {
        const int width = negative ? conversion->width - 1 : conversion->width;
        while (end - at < width && at > digits + 1)
            *--at = '0';
    }
    if (negative)
        *--at = '-';
    put_padded(sink, conversion, at, (int)(end - at));
}

static const char *read_conversion(const char *format, struct conversion *conversion)
{
    conversion->left = conversion->zeros = conversion->width = 0;
    for (;; format++) {
        if (*format == '-')
            conversion->left = 1;
        else if (*format == '0')
            conversion->zeros = 1;
        else
            break;
    }
    for (; *format >= '0' && *format <= '9'; format++)
        conversion->width = 10 * conversion->width + (*format - '0');
    return format;
}

int format_list(char *buffer, size_t size, const char *format, va_list list)
{
    struct sink sink = { buffer, size, 0 };
    for (; *format != '\0'; format++) {
        struct conversion conversion;
        if (*format != '%') {
            put(&sink, *format);
            continue;
        }
        format = read_conversion(format + 1, &conversion);
        switch (*format) {
        case 'd': {
            const int value = va_arg(list, int);
            put_number(&sink, &conversion, value < 0 ? 0u - (unsigned)value : (unsigned)value, 10, value < 0);
            break;
        }
        case 'u':
            put_number(&sink, &conversion, va_arg(list, unsigned), 10, 0);
            break;
        case 'x':
            put_number(&sink, &conversion, va_arg(list, unsigned), 16, 0);
            break;
        case 'c': {
            const char c = (char)va_arg(list, int);
            put_padded(&sink, &conversion, &c, 1);
            break;
        }
        case 's': {
            const char *text = va_arg(list, const char *);
            int length = 0;
            while (text[length] != '\0')
                length++;
            put_padded(&sink, &conversion, text, length);
            break;
        }
        case '\0':
            format--;
            break;
        default:
            put(&sink, *format);
            break;
        }
    }
    if (size > 0)
        buffer[sink.used < size ? sink.used : size - 1] = '\0';
    return (int)sink.used;
}

int format_text(char *buffer, size_t size, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int length = format_list(buffer, size, format, list);
    va_end(list);
    return length;
}
