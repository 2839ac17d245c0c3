#include <stddef.h>

enum { CLASSES = 8, STATES = 8 };

/* A deterministic automaton: bytes have classes, and `next` gives the state for a state and a class, or -1. */
struct automaton {
    unsigned char class_of[256];
    signed char next[STATES][CLASSES];
    signed char accepts[STATES]; /* the kind of token, or -1 */
};

struct token {
    int kind;
    const char *start;
    size_t length;
};

/* The longest token at `*at`, behind which `*at` is then: 1, or 0 at the end, or -1 where there is none. */
int next_token(const struct automaton *automaton, const char **at, const char *end, struct token *token);

enum token_kind { SPACE, NAME, INTEGER, REAL, OPERATOR, TOKEN_KINDS };

int count_tokens(const char *text, size_t length, unsigned counts[TOKEN_KINDS]);
