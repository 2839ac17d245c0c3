#include <string.h>
#include "format.h"

static void put(char *buffer, size_t size, size_t *used, const char *text, size_t length)
{
    if (*used + 1 < size) {
        const size_t room = size - 1 - *used;
        memcpy(buffer + *used, text, length < room ? length : room);
    }
    *used += length;
}

static char *decimal(char *at, int number)
{
    unsigned value = number < 0 ? 0u - (unsigned)number : (unsigned)number;
    do {
        *--at = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    if (number < 0)
        *--at = '-';
    return at;
}

int write_event(char *buffer, size_t size, const struct event *event)
{
    char text[64], digits[12], *const end = digits + sizeof digits;
    char *at = decimal(end, event->number), *to = text;
    size_t used = 0;
    *to++ = '#';
    memcpy(to, at, (size_t)(end - at));
    to += end - at;
    memcpy(to, " at ", 4);
    to += 4;
    for (int shift = 28; shift >= 0; shift -= 4)
        *to++ = "0123456789abcdef"[event->address >> shift & 15];
    *to++ = ':';
    *to++ = ' ';
    put(buffer, size, &used, text, (size_t)(to - text));
    const size_t length = strlen(event->name);
    put(buffer, size, &used, event->name, length);
    to = text;
    for (size_t i = length; i < 10; i++)
        *to++ = ' ';
    *to++ = ' ';
    *to++ = '[';
    *to++ = event->kind;
    *to++ = ']';
    *to++ = ' ';
    at = decimal(end, event->delta);
    while (end - at < 5)
        *--at = ' ';
    memcpy(to, at, (size_t)(end - at));
    to += end - at;
    *to++ = '%';
    *to++ = '\n';
    put(buffer, size, &used, text, (size_t)(to - text));
    if (size > 0)
        buffer[used < size ? used : size - 1] = '\0';
    return (int)used;
}
