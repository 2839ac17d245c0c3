/* Wide characters, as far as CORBA's values use them. */
#ifndef WCHAR_H
#define WCHAR_H
#include <stddef.h>
static inline size_t wcslen(const wchar_t *text)
{
    size_t length = 0;
    while (text[length] != 0)
        length++;
    return length;
}
static inline int wcscmp(const wchar_t *one, const wchar_t *other)
{
    while (*one != 0 && *one == *other)
        one++, other++;
    return (*one > *other) - (*one < *other);
}
#endif
