#include <whittle/specialize.h>
#include "lexer.h"

enum { OTHER, BLANK, LETTER, DIGIT, DOT, SIGN };

/* States: 0 start, 1 space, 2 name, 3 integer, 4 integer and dot, 5 real, 6 operator. */
static const struct automaton automaton = {
    .class_of = { [' '] = BLANK, ['\n'] = BLANK, ['a' ... 'z'] = LETTER, ['A' ... 'Z'] = LETTER, ['_'] = LETTER, ['0' ... '9'] = DIGIT,
                  ['.'] = DOT, ['+'] = SIGN, ['-'] = SIGN, ['*'] = SIGN, ['/'] = SIGN, ['='] = SIGN },
    .next = {
        { -1, 1, 2, 3, -1, 6, -1, -1 },
        { -1, 1, -1, -1, -1, -1, -1, -1 },
        { -1, -1, 2, 2, -1, -1, -1, -1 },
        { -1, -1, -1, 3, 4, -1, -1, -1 },
        { -1, -1, -1, 5, -1, -1, -1, -1 },
        { -1, -1, -1, 5, -1, -1, -1, -1 },
        { -1, -1, -1, -1, -1, 6, -1, -1 },
        { -1, -1, -1, -1, -1, -1, -1, -1 },
    },
    .accepts = { -1, SPACE, NAME, INTEGER, -1, REAL, OPERATOR, -1 },
};

WHITTLE_SPECIALIZE
int count_tokens(const char *text, size_t length, unsigned counts[TOKEN_KINDS])
{
    const char *at = text;
    struct token token;
    int found;
    while ((found = next_token(&automaton, &at, text + length, &token)) == 1)
        counts[token.kind] += (unsigned)token.length * 100 + 1;
    return found < 0 ? (int)(at - text) : -1;
}
