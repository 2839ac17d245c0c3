#pragma once
#include <stdint.h>
#include <stddef.h>
enum tok { T_EOF, T_IDENT, T_NUM, T_HEX, T_STR, T_OP, T_KW_IF, T_KW_WHILE, T_KW_INT, T_ERR, T_TOO_LONG };
enum { NCLASS = 8, NSTATE = 12 };
struct dfa { uint8_t cls[256]; int8_t next[NSTATE][NCLASS]; uint8_t accept[NSTATE]; int nstates; };
struct token { enum tok type; uint16_t line, col; uint8_t len; char text[13]; };
struct lexer {
    const struct dfa *d;
    const char *src; size_t len, pos;
    unsigned line, col;
    struct token look[2]; int nlook;
    void (*on_error)(struct lexer *, const char *msg);
    void *user; int errors;
};
void dfa_init(struct dfa *d);
void dfa_chars(struct dfa *d, const char *set, int cls);
int dfa_state(struct dfa *d, enum tok accept);
void dfa_edge(struct dfa *d, int from, int cls, int to);
void lex_init(struct lexer *l, const struct dfa *d, const char *s, size_t n);
struct token lex_next(struct lexer *l);
const struct token *lex_peek(struct lexer *l, int k);
int lex_all(struct lexer *l, struct token *out, int cap);
extern long lex_total;
