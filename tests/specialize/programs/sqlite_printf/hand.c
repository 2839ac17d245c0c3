#include <string.h>
#include "line.h"

static char *put_number(char *at, unsigned value, char sign, int width)
{
    char digits[12], *first = digits + sizeof digits;
    do
        *--first = (char)('0' + value % 10);
    while ((value /= 10) != 0);
    if (sign != '\0')
        *--first = sign;
    const int length = (int)(digits + sizeof digits - first);
    for (int left = width - length; left > 0; left--)
        *at++ = ' ';
    memcpy(at, first, (size_t)length);
    return at + length;
}

static unsigned size_of(int value)
{
    return value < 0 ? -(unsigned)value : (unsigned)value;
}

void write_line(char *into, int size, const struct event *event)
{
    char head[40], tail[64], *at = head;
    *at++ = '[';
    at = put_number(at, size_of(event->level), event->level < 0 ? '-' : '\0', 3);
    *at++ = ']';
    *at++ = ' ';
    const size_t before = (size_t)(at - head), name = strlen(event->name);
    at = tail;
    for (size_t i = name; i < 10; i++)
        *at++ = ' ';
    *at++ = ' ';
    *at++ = event->kind;
    memcpy(at, " at 0x", 6);
    at += 6;
    int nibbles = 8;
    while (nibbles < 16 && event->address >> 4 * nibbles != 0)
        nibbles++;
    while (nibbles-- > 0)
        *at++ = "0123456789abcdef"[event->address >> 4 * nibbles & 15];
    memcpy(at, ": code ", 7);
    at = put_number(at + 7, size_of(event->code), event->code < 0 ? '-' : '+', 0);
    *at++ = '\n';
    const size_t behind = (size_t)(at - tail), all = before + name + behind;
    if (size > 0 && (size_t)size > all) {
        memcpy(into, head, before);
        memcpy(into + before, event->name, name);
        memcpy(into + before + name, tail, behind);
        into[all] = '\0';
    } else if (size > 0) {
        size_t left = (size_t)size - 1, part = before < left ? before : left;
        memcpy(into, head, part);
        into += part, left -= part;
        part = name < left ? name : left;
        memcpy(into, event->name, part);
        into += part, left -= part;
        part = behind < left ? behind : left;
        memcpy(into, tail, part);
        into[part] = '\0';
    }
}
