/* SPDX-License-Identifier: MIT-0 */
/*
 * Wide characters and strings as UTF-16, in the form that GIOP has had since 1.2: octets are counted, nothing ends a
 * string, big-endian unless a byte order mark says otherwise. A CORBA_wchar that has more than 16 bits holds a whole
 * character, which may be two units in the message. Source: CORBA 3, part 2, sections on wide characters and on UTF-16
 * of CDR.
 */
#include "marshal.h"
#include "place.h"
#include <wchar.h>

enum { WHITTLE_MARK = 0xfeff, WHITTLE_TURNED_MARK = 0xfffe };                       /* of byte order */
enum { WHITTLE_HIGH = 0xd800, WHITTLE_LOW = 0xdc00, WHITTLE_PLANE = 0x10000 };      /* a pair; what needs it */

/* One or two units, where there is room for both. NULL: no character of Unicode. */
static char *whittle_put_character(char *at, uint32_t character)
{
    uint32_t units[2] = {character, 0};
    unsigned count = 1;
    if (character >= WHITTLE_PLANE) {
        if (character > 0x10ffff)
            return NULL;
        units[0] = WHITTLE_HIGH + ((character - WHITTLE_PLANE) >> 10);
        units[1] = WHITTLE_LOW + ((character - WHITTLE_PLANE) & 0x3ff);
        count = 2;
    }
    for (unsigned index = 0; index < count; index++) {
        *at++ = (char)(units[index] >> 8);
        *at++ = (char)(units[index] & 0xff);
    }
    return at;
}

/* Octets of UTF-16 that are being read. */
struct whittle_units {
    const unsigned char *at;
    const unsigned char *end;
    bool is_little;
};

static uint32_t whittle_unit(const struct whittle_units *units, size_t index)
{
    const unsigned char *const at = units->at + 2 * index;
    return units->is_little ? (uint32_t)at[1] << 8 | at[0] : (uint32_t)at[0] << 8 | at[1];
}

static struct whittle_units whittle_units(const char *at, uint32_t octets)
{
    struct whittle_units units = {(const unsigned char *)at, (const unsigned char *)at + octets, false};
    const uint32_t first = octets < 2 ? 0 : whittle_unit(&units, 0);
    units.is_little = first == WHITTLE_TURNED_MARK;
    units.at += first == WHITTLE_MARK || first == WHITTLE_TURNED_MARK ? 2 : 0;
    return units;
}

/* The next CORBA_wchar; a half of a pair that stands alone is what it is. */
static CORBA_wchar whittle_next_wchar(struct whittle_units *units)
{
    const uint32_t high = whittle_unit(units, 0);
    const bool is_first = sizeof(CORBA_wchar) > 2 && high - WHITTLE_HIGH < 0x400 && units->end - units->at >= 4;
    const uint32_t low = is_first ? whittle_unit(units, 1) - WHITTLE_LOW : 0x400;
    units->at += low < 0x400 ? 4 : 2;
    return (CORBA_wchar)(low < 0x400 ? WHITTLE_PLANE + ((high - WHITTLE_HIGH) << 10) + low : high);
}

char *whittle_cdr_out_wchar(struct whittle_cdr_out *out, char *at, const CORBA_wchar *value)
{
    char octets[5];
    char *const end = whittle_put_character(octets + 1, (uint32_t)*value);
    if (end == NULL)
        return NULL;
    octets[0] = (char)(end - octets - 1);
    return whittle_place_bytes(out, at, 1, octets, (size_t)(end - octets));
}

const char *whittle_cdr_in_wchar(struct whittle_cdr_in *in, const char *at, CORBA_wchar *value, bool swapped)
{
    (void)swapped;
    at = whittle_find(in, at, 1, 1);
    const uint8_t octets = at == NULL ? 0 : (uint8_t)at[0];
    at = at == NULL ? NULL : whittle_find(in, at + 1, 1, octets);
    if (at == NULL || octets % 2 != 0)
        return NULL;
    struct whittle_units units = whittle_units(at, octets);
    if (octets == 2)
        units.at = (const unsigned char *)at;   /* then it is no mark, but the character */
    if (units.at == units.end)
        return NULL;
    const CORBA_wchar read = whittle_next_wchar(&units);
    if (units.at != units.end)
        return NULL;
    *value = read;
    return at + octets;
}

char *whittle_cdr_out_wstring(struct whittle_cdr_out *out, char *at, CORBA_wchar *const *value, uint32_t bound)
{
    const size_t length = *value == NULL ? SIZE_MAX : wcslen(*value);
    if (length > UINT32_MAX / 4 || (bound > 0 && length > bound))
        return NULL;
    /* Whoever reads would take a first character that is a mark for one. */
    const bool is_marked = length > 0 && ((*value)[0] == WHITTLE_MARK || (*value)[0] == WHITTLE_TURNED_MARK);
    at = whittle_place(out, at, 4, 4 + 2 + 4 * length);
    if (at == NULL)
        return NULL;
    char *end = is_marked ? whittle_put_character(at + 4, WHITTLE_MARK) : at + 4;
    for (size_t index = 0; index < length && end != NULL; index++)
        end = whittle_put_character(end, (uint32_t)(*value)[index]);
    if (end == NULL)
        return NULL;
    const uint32_t octets = (uint32_t)(end - at - 4);
    whittle_take(at, &octets, sizeof octets, WHITTLE_SENDS_SWAPPED);
    return end;
}

const char *whittle_cdr_in_wstring(struct whittle_cdr_in *in, const char *at, CORBA_wchar **value, uint32_t bound,
                                   bool swapped)
{
    uint32_t octets = 0;
    *value = NULL;
    at = whittle_find32(in, at, &octets, swapped);
    at = whittle_find(in, at, 1, octets);
    if (at == NULL || octets % 2 != 0)
        return NULL;
    struct whittle_units units = whittle_units(at, octets);
    uint32_t length = 0;
    for (struct whittle_units counted = units; counted.at < counted.end; length++)
        if (whittle_next_wchar(&counted) == 0)
            return NULL;
    CORBA_wchar *const text =
        bound > 0 && length > bound ? NULL : (CORBA_wchar *)in->allocate(in, sizeof *text, length + 1, NULL);
    if (text == NULL)
        return NULL;
    for (uint32_t index = 0; index < length; index++)
        text[index] = whittle_next_wchar(&units);
    text[length] = 0;
    *value = text;
    return at + octets;
}
