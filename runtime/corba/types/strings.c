/* SPDX-License-Identifier: MIT-0 */
/* Strings, narrow and wide: CORBA_free frees them like all else. Source: formal/99-07-35, "Mapping for Strings". */
#include "basic.h"
#include <string.h>
#include <wchar.h>

CORBA_char *CORBA_string_alloc(CORBA_unsigned_long length)
{
    CORBA_char *const text = length == UINT32_MAX ? NULL : (CORBA_char *)whittle_corba_new(1, length + 1, NULL);
    if (text != NULL)
        text[0] = text[length] = '\0';
    return text;
}

CORBA_char *CORBA_string_dup(const CORBA_char *text)
{
    if (text == NULL)
        return NULL;
    const size_t length = strlen(text);
    CORBA_char *const copy = length < UINT32_MAX ? CORBA_string_alloc((CORBA_unsigned_long)length) : NULL;
    return copy == NULL ? NULL : (CORBA_char *)memcpy(copy, text, length + 1);
}

CORBA_wchar *CORBA_wstring_alloc(CORBA_unsigned_long length)
{
    CORBA_wchar *const text =
        length == UINT32_MAX ? NULL : (CORBA_wchar *)whittle_corba_new(sizeof(CORBA_wchar), length + 1, NULL);
    if (text != NULL)
        text[0] = text[length] = L'\0';
    return text;
}

CORBA_wchar *CORBA_wstring_dup(const CORBA_wchar *text)
{
    if (text == NULL)
        return NULL;
    const size_t length = wcslen(text);
    CORBA_wchar *const copy = length < UINT32_MAX ? CORBA_wstring_alloc((CORBA_unsigned_long)length) : NULL;
    return copy == NULL ? NULL : (CORBA_wchar *)memcpy(copy, text, (length + 1) * sizeof *text);
}

void whittle_release_string(void *place)
{
    CORBA_char **const text = (CORBA_char **)place;
    CORBA_free(*text);
    *text = NULL;
}

void whittle_release_wstring(void *place)
{
    CORBA_wchar **const text = (CORBA_wchar **)place;
    CORBA_free(*text);
    *text = NULL;
}
