/* Values of every type of every.idl, two of each, for clients to send. */
#ifndef SAMPLES_H
#define SAMPLES_H
#include "every.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void *copy_of(CORBA_TypeCode type, const void *value)
{
    CORBA_any from = {type, (void *)value, CORBA_FALSE}, to;
    if (!CORBA_any__copy(&to, &from))
        return NULL;
    return to._value;
}

static inline int is_equal(CORBA_TypeCode type, const void *one, const void *other)
{
    CORBA_any left = {type, (void *)one, CORBA_FALSE}, right = {type, (void *)other, CORBA_FALSE};
    return CORBA_any_equal(&left, &right);
}

/* Moves the elements of `items`, which CORBA_free must be able to release, into a sequence. */
#define FILLED(T, items, count) ((T){(count), (count), (items), CORBA_TRUE})

static inline CORBA_wchar *wide(const char *text)
{
    CORBA_wchar *result = CORBA_wstring_alloc((CORBA_unsigned_long)strlen(text));
    size_t i = 0;
    for (; text[i] != 0; i++)
        result[i] = (unsigned char)text[i];
    result[i] = 0;
    return result;
}

static inline Every_Person person(int which)
{
    Every_Person result = {0};
    result.name = CORBA_string_dup(which ? "Ada" : "");
    result.likes = which ? Every_blue : Every_red;
    result.picture._length = result.picture._maximum = which ? 5 : 0;
    result.picture._buffer = which ? CORBA_sequence_CORBA_octet_allocbuf(5) : NULL;
    result.picture._release = CORBA_TRUE;
    if (which)
        memcpy(result.picture._buffer, "\0\1\2\3\377", 5);
    result.alias_of = wide(which ? "w\xef" "zard" : "");
    return result;
}

static inline Every_Tree tree(int depth)
{
    Every_Tree result = {.value = depth, .branches = {0, 0, NULL, CORBA_TRUE}};
    if (depth > 0) {
        result.branches._buffer = CORBA_sequence_Every_Tree_allocbuf(2);
        result.branches._length = result.branches._maximum = 2;
        result.branches._buffer[0] = tree(depth - 1);
        result.branches._buffer[1] = tree(0);
    }
    return result;
}
#endif
