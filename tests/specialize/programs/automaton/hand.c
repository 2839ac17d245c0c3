#include "lexer.h"

static int letter(char c)
{
    return ((unsigned)(c | 32) - 'a' < 26) || c == '_';
}

static int digit(char c)
{
    return (unsigned)c - '0' < 10;
}

static int sign(char c)
{
    return c == '+' || c == '-' || c == '*' || c == '/' || c == '=';
}

int count_tokens(const char *text, size_t length, unsigned counts[TOKEN_KINDS])
{
    const char *at = text, *const end = text + length;
    while (at < end) {
        const char *const start = at;
        enum token_kind kind;
        if (*at == ' ' || *at == '\n') {
            do
                at++;
            while (at < end && (*at == ' ' || *at == '\n'));
            kind = SPACE;
        } else if (letter(*at)) {
            do
                at++;
            while (at < end && (letter(*at) || digit(*at)));
            kind = NAME;
        } else if (digit(*at)) {
            do
                at++;
            while (at < end && digit(*at));
            kind = INTEGER;
            if (end - at > 1 && *at == '.' && digit(at[1])) {
                at++;
                do
                    at++;
                while (at < end && digit(*at));
                kind = REAL;
            }
        } else if (sign(*at)) {
            do
                at++;
            while (at < end && sign(*at));
            kind = OPERATOR;
        } else {
            return (int)(at - text);
        }
        counts[kind] += (unsigned)(at - start) * 100 + 1;
    }
    return -1;
}
