/* A lexer that runs an automaton. */
#include "lexer.h"

int next_token(const struct automaton *automaton, const char **at, const char *end, struct token *token)
{
    const char *here = *at, *accepted = NULL;
    int state = 0, kind = -1;
    if (here == end)
        return 0;
    while (here < end) {
        state = automaton->next[state][automaton->class_of[(unsigned char)*here]];
        if (state < 0)
            break;
        here++;
        if (automaton->accepts[state] >= 0) {
            kind = automaton->accepts[state];
            accepted = here;
        }
    }
    if (accepted == NULL)
        return -1;
    token->kind = kind;
    token->start = *at;
    token->length = (size_t)(accepted - *at);
    *at = accepted;
    return 1;
}
