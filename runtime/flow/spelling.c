/* SPDX-License-Identifier: MIT-0 */
/*
 * The pieces of which a condition's text is made, as flow descriptions spell them: words, numbers, texts with the escapes of C for
 * characters of ASCII, and marks. In comes a place in the text, out what stands there, or the error that says what was expected.
 */
#include "condition.h"
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool whittle_flow_condition_error(struct whittle_flow_condition *condition, const char *at, const char *format, ...)
{
    va_list arguments;
    if (condition->wrong != NULL)
        return false;
    condition->wrong = at;
    va_start(arguments, format);
    vsnprintf(condition->why, sizeof condition->why, format, arguments);
    va_end(arguments);
    return false;
}

bool whittle_flow_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool whittle_flow_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* What stands at the present place, behind blanks. */
const char *whittle_flow_next_token(struct whittle_flow_condition *condition)
{
    while (*condition->at == ' ' || *condition->at == '\t' || *condition->at == '\n' || *condition->at == '\r')
        condition->at++;
    return condition->at;
}

/* The end of a number or a text that begins here; of all else, of one piece. */
const char *whittle_flow_piece(const char *at)
{
    const char first = *at;
    const bool is_hexadecimal = first == '0' && (at[1] == 'x' || at[1] == 'X');
    if (first == '\0')
        return at;
    if (first == '"' || first == '\'') {
        for (at++; *at != '\0' && *at != first; at++)
            at += *at == '\\' && at[1] != '\0';
        return at + (*at == first);
    }
    if (whittle_flow_is_letter(first)) {
        while (whittle_flow_is_letter(*at) || whittle_flow_is_digit(*at))
            at++;
        return at;
    }
    if (whittle_flow_is_digit(first) || (first == '.' && whittle_flow_is_digit(at[1]))) {
        while (whittle_flow_is_letter(*at) || whittle_flow_is_digit(*at) || *at == '.'
            || ((*at == '+' || *at == '-') && !is_hexadecimal && (at[-1] == 'e' || at[-1] == 'E')))
            at++;
        return at;
    }
    if (strncmp(at, "==", 2) == 0 || strncmp(at, "!=", 2) == 0 || strncmp(at, "<=", 2) == 0 || strncmp(at, ">=", 2) == 0 || strncmp(at, "&&", 2) == 0
        || strncmp(at, "||", 2) == 0)
        return at + 2;
    for (at++; (*at & 0xc0) == 0x80; at++)  /* a character of several bytes is one piece */
        continue;
    return at;
}

bool whittle_flow_expected(struct whittle_flow_condition *condition, const char *what)
{
    const char *const at = whittle_flow_next_token(condition), *const end = whittle_flow_piece(at);
    if (*at == '\0')
        return whittle_flow_condition_error(condition, at, "expected %s, found the end", what);
    return whittle_flow_condition_error(condition, at, "expected %s, found `%.*s`", what, end - at < 40 ? (int)(end - at) : 40, at);
}

bool whittle_flow_is_at(struct whittle_flow_condition *condition, const char *piece)
{
    const char *const at = whittle_flow_next_token(condition);
    const size_t length = strlen(piece);
    return (size_t)(whittle_flow_piece(at) - at) == length && memcmp(at, piece, length) == 0;
}

bool whittle_flow_skip_token(struct whittle_flow_condition *condition, const char *piece)
{
    if (!whittle_flow_is_at(condition, piece))
        return false;
    condition->at += strlen(piece);
    return true;
}

/* What an escape behind a backslash stands for, and how long it is; below 0: C has no such, or not for a character of ASCII. */
static int whittle_flow_escape(const char *at, size_t *length)
{
    static const char names[] = "abfnrtv\\'\"?", values[] = "\a\b\f\n\r\t\v\\'\"?";
    const char *const name = *at != '\0' ? strchr(names, *at) : NULL;
    const bool is_hexadecimal = *at == 'x';
    int value = 0;
    *length = 1;
    if (name != NULL)
        return values[name - names];
    const size_t first = is_hexadecimal ? 1 : 0, most = is_hexadecimal ? 3 : 3;
    size_t n = first;
    for (; n < most; n++) {
        const char c = at[n];
        const int digit = whittle_flow_is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
        if (digit >= (is_hexadecimal ? 16 : 8))
            break;
        value = value * (is_hexadecimal ? 16 : 8) + digit;
    }
    *length = n;
    return n == first || value > 127 ? -1 : value;
}

/* The bytes between the marks of a text, as far as there is room: how many there are in all; ~0: an escape in it is none. */
size_t whittle_flow_spelled(const char *at, const char *end, char *to, size_t room)
{
    size_t bytes = 0, length;
    for (at++; at < end - 1; at += length, bytes++) {
        const int value = *at == '\\' ? whittle_flow_escape(at + 1, &length) : (unsigned char)*at;
        length = *at == '\\' ? length + 1 : 1;
        if (value < 0)
            return SIZE_MAX;
        if (bytes < room)
            to[bytes] = (char)value;
    }
    return bytes;
}

/* A whole number without a sign: `010` is no octal one here. False: it is none, or above all that fields hold. */
bool whittle_flow_whole_number(const char *at, const char *end, uint64_t *number)
{
    const bool is_hexadecimal = at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && end - at > 2;
    char *rest;
    if ((at[0] == '0' && end - at > 1 && !is_hexadecimal) || !whittle_flow_is_digit(at[0]))
        return false;
    errno = 0;
    *number = strtoull(at, &rest, is_hexadecimal ? 16 : 10);
    return rest == end && errno == 0;
}
