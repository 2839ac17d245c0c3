#include <whittle/specialize.h>
#include <stdlib.h>
#include "lexer.h"
static void grammar(struct dfa *d)
{
    dfa_init(d);
    dfa_chars(d, "a-zA-Z_", 1); dfa_chars(d, "0-9", 2); dfa_chars(d, "x", 3); dfa_chars(d, "\"", 4); dfa_chars(d, "\\", 5); dfa_chars(d, "=<>!", 6); dfa_chars(d, "+*/();{}", 7); dfa_chars(d, "-", 7);
    int start = dfa_state(d, 0), id = dfa_state(d, T_IDENT), num = dfa_state(d, T_NUM), zx = dfa_state(d, 0), hex = dfa_state(d, T_HEX), str = dfa_state(d, 0), esc = dfa_state(d, 0), strend = dfa_state(d, T_STR), cmp = dfa_state(d, T_OP), op = dfa_state(d, T_OP);
    dfa_edge(d, start, 1, id); dfa_edge(d, start, 3, id); dfa_edge(d, id, 1, id); dfa_edge(d, id, 2, id); dfa_edge(d, id, 3, id);
    dfa_edge(d, start, 2, num); dfa_edge(d, num, 2, num); dfa_edge(d, num, 3, zx); dfa_edge(d, zx, 2, hex); dfa_edge(d, zx, 1, hex); dfa_edge(d, hex, 2, hex); dfa_edge(d, hex, 1, hex);
    dfa_edge(d, start, 4, str); dfa_edge(d, str, -1, str); dfa_edge(d, str, 4, strend); dfa_edge(d, str, 5, esc); dfa_edge(d, esc, -1, str);
    dfa_edge(d, start, 6, cmp); dfa_edge(d, cmp, 6, op); dfa_edge(d, start, 7, op);
}
extern int note_count;
static void note(struct lexer *l, const char *m) { note_count += m[0] == 'u' ? (int)l->line : 0; *(int *)l->user += 1; }
WHITTLE_SPECIALIZE int tokenize(const char *s, size_t n, struct token *out, int cap, int *bad)
{
    struct dfa d; struct lexer l;
    grammar(&d);
    lex_init(&l, &d, s, n);
    l.on_error = note; l.user = bad;
    return lex_all(&l, out, cap);
}
/* recursive descent with look-ahead: value of  expr = term {(+|-) term}; term = NUM | HEX | ( expr ) | IDENT = expr */
static long expr(struct lexer *l, int depth)
{
    long v = 0; int sign = 1;
    for (;;) {
        struct token t = lex_next(l);
        if (t.type == T_NUM || t.type == T_HEX) v += sign * strtol(t.text, NULL, 0);
        else if (t.type == T_IDENT && lex_peek(l, 0)->type == T_OP && lex_peek(l, 0)->text[0] == '=' && lex_peek(l, 1)->type != T_EOF) { lex_next(l); v += sign * 2 * expr(l, depth); return v; }
        else if (t.type == T_OP && t.text[0] == '(' && depth < 3) { v += sign * expr(l, depth + 1); if (lex_next(l).text[0] != ')') { l->errors++; return v; } }
        else { l->errors++; return v; }
        const struct token *o = lex_peek(l, 0);
        if (o->type != T_OP || (o->text[0] != '+' && o->text[0] != '-')) return v;
        sign = o->text[0] == '+' ? 1 : -1;
        lex_next(l);
    }
}
WHITTLE_SPECIALIZE long evaluate(const char *s, size_t n, int *errors)
{
    struct dfa d; struct lexer l;
    grammar(&d);
    lex_init(&l, &d, s, n);
    long v = expr(&l, 0);
    *errors = l.errors + 100 * (lex_peek(&l, 0)->type != T_EOF);
    return v;
}
