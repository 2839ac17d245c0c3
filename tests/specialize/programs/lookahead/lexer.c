#include "lexer.h"
#include <string.h>
#include <ctype.h>

long lex_total;
static const struct keyword { const char *word; enum tok type; } keywords[] = {
    { "if", T_KW_IF }, { "while", T_KW_WHILE }, { "int", T_KW_INT },
};

void dfa_init(struct dfa *d)
{
    memset(d, 0, sizeof *d);
    for (int i = 0; i < NSTATE; i++)
        for (int k = 0; k < NCLASS; k++)
            d->next[i][k] = -1;
}

void dfa_chars(struct dfa *d, const char *set, int cls)
{
    for (; *set; set++) {
        if (set[1] == '-' && set[2]) {
            for (int c = (unsigned char)set[0]; c <= (unsigned char)set[2]; c++)
                d->cls[c] = (uint8_t)cls;
            set += 2;
        } else
            d->cls[(unsigned char)*set] = (uint8_t)cls;
    }
}

int dfa_state(struct dfa *d, enum tok accept)
{
    if (d->nstates == NSTATE)
        return -1;
    d->accept[d->nstates] = (uint8_t)accept;
    return d->nstates++;
}

void dfa_edge(struct dfa *d, int from, int cls, int to)
{
    if (cls < 0)
        for (int k = 1; k < NCLASS; k++)
            d->next[from][k] = (int8_t)to;
    else
        d->next[from][cls] = (int8_t)to;
}

void lex_init(struct lexer *l, const struct dfa *d, const char *s, size_t n)
{
    *l = (struct lexer){ .d = d, .src = s, .len = n, .line = 1, .col = 1 };
}

static void skip(struct lexer *l)
{
    while (l->pos < l->len) {
        char c = l->src[l->pos];
        if (c == '\n')
            l->line++, l->col = 1;
        else if (c == ' ' || c == '\t')
            l->col += c == '\t' ? 8 - (l->col - 1) % 8 : 1;
        else
            return;
        l->pos++;
    }
}

static struct token scan(struct lexer *l)
{
    struct token t = { .type = T_EOF };
    skip(l);
    t.line = (uint16_t)l->line;
    t.col = (uint16_t)l->col;
    if (l->pos >= l->len)
        return t;
    int state = 0, last = -1;
    size_t p = l->pos, end = p;
    while (p < l->len) {
        int n = l->d->next[state][l->d->cls[(unsigned char)l->src[p]]];
        if (n < 0)
            break;
        state = n;
        p++;
        if (l->d->accept[state]) {
            last = state;
            end = p;
        }
    }
    if (last < 0) {
        t.type = T_ERR;
        l->errors++;
        if (l->on_error)
            l->on_error(l, "unexpected");
        end = l->pos + 1;
    } else
        t.type = l->d->accept[last];
    size_t n = end - l->pos;
    if (n >= sizeof t.text) {
        t.type = T_TOO_LONG;
        n = sizeof t.text - 1;
    }
    memcpy(t.text, l->src + l->pos, n);
    t.text[n] = 0;
    t.len = (uint8_t)n;
    if (t.type == T_IDENT)
        for (size_t k = 0; k < sizeof keywords / sizeof *keywords; k++)
            if (!strcmp(keywords[k].word, t.text))
                t.type = keywords[k].type;
    l->col += (unsigned)(end - l->pos);
    l->pos = end;
    lex_total++;
    return t;
}

struct token lex_next(struct lexer *l)
{
    if (l->nlook) {
        struct token t = l->look[0];
        l->look[0] = l->look[1];
        l->nlook--;
        return t;
    }
    return scan(l);
}

const struct token *lex_peek(struct lexer *l, int k)
{
    if (k < 0 || k > 1)
        return NULL;
    while (l->nlook <= k)
        l->look[l->nlook++] = scan(l);
    return &l->look[k];
}

int lex_all(struct lexer *l, struct token *out, int cap)
{
    int n = 0;
    for (; n < cap; n++) {
        out[n] = lex_next(l);
        if (out[n].type == T_EOF)
            return n;
    }
    return -n;
}
