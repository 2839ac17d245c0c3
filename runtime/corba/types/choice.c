/* SPDX-License-Identifier: MIT-0 */
/*
 * Discriminators of unions, whatever their type, and the members they choose. Source: CORBA 3, part 1, section
 * "Unions".
 */
#include "graph.h"
#include <string.h>

bool whittle_chooses(CORBA_TCKind kind)
{
    switch (kind) {
    case CORBA_tk_short: case CORBA_tk_ushort: case CORBA_tk_long: case CORBA_tk_ulong: case CORBA_tk_longlong:
    case CORBA_tk_ulonglong: case CORBA_tk_boolean: case CORBA_tk_char: case CORBA_tk_octet: case CORBA_tk_wchar:
    case CORBA_tk_enum:
        return true;
    default:
        return false;
    }
}

#define WHITTLE_NUMBER(type)                                                                                           \
    do {                                                                                                               \
        type number;                                                                                                   \
        memcpy(&number, value, sizeof number);                                                                         \
        return (CORBA_long_long)number;                                                                                \
    } while (0)

CORBA_long_long whittle_choice(CORBA_TCKind kind, const void *value)
{
    switch (kind) {
    case CORBA_tk_short:
        WHITTLE_NUMBER(CORBA_short);
    case CORBA_tk_ushort:
        WHITTLE_NUMBER(CORBA_unsigned_short);
    case CORBA_tk_long:
        WHITTLE_NUMBER(CORBA_long);
    case CORBA_tk_ulong: case CORBA_tk_enum:
        WHITTLE_NUMBER(CORBA_unsigned_long);
    case CORBA_tk_longlong: case CORBA_tk_ulonglong:
        WHITTLE_NUMBER(CORBA_long_long);
    case CORBA_tk_wchar:
        WHITTLE_NUMBER(CORBA_wchar);
    case CORBA_tk_boolean:
        return *(const CORBA_boolean *)value != CORBA_FALSE;
    default:
        WHITTLE_NUMBER(CORBA_octet);    /* of char, too: what is above 127 has no sign */
    }
}

/* Compilers differ in whether '\377' is negative; as a discriminator it is one value. */
bool whittle_same_choice(CORBA_TypeCode discriminator, CORBA_long_long one, CORBA_long_long other)
{
    const uint64_t differing = (uint64_t)one ^ (uint64_t)other;
    const size_t size = whittle_unaliased(discriminator)->size;
    return (size < sizeof differing ? differing << 8 * (sizeof differing - size) : differing) == 0;
}

const struct whittle_member *whittle_chosen(CORBA_TypeCode type, const void *value)
{
    const CORBA_long_long choice = whittle_choice(whittle_unaliased(type->content)->kind, value);
    for (uint32_t index = 0; index < type->count; index++)
        if (index != type->default_index && whittle_same_choice(type->content, type->members[index].label, choice))
            return &type->members[index];
    return type->default_index < type->count ? &type->members[type->default_index] : NULL;
}
