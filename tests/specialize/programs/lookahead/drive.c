#include <stdlib.h>
#include <string.h>
#include "lexer.h"

int note_count;
int tokenize(const char *s, size_t n, struct token *out, int cap, int *bad);
long evaluate(const char *s, size_t n, int *errors);

enum { TEXTS = 12, SIZE = 400, TOKENS = 16 };
static char texts[TEXTS][SIZE], expressions[TEXTS][SIZE];
static size_t lengths[TEXTS];

static const char *const words[] = {
    "if", "while", "int", "x", "foo_1", "0x1f", "12", "0x", "007", "\"str\"", "\"a\\\"b\"", "\"open", "==", "<", "=", "+", "-", "(", ")", ";",
    "@", "\n", "\t", " ", "averyveryverylongidentifier", "int8",
};
static const char *const parts[] = { "1", "0x10", "(", ")", "+", "-", "a =", " ", "22" };

void prepare(unsigned seed)
{
    srand(seed + 1);
    for (int n = 0; n < TEXTS; n++) {
        texts[n][0] = expressions[n][0] = 0;
        for (int count = rand() % 12; count > 0; count--)
            strcat(strcat(texts[n], words[rand() % 26]), rand() % 2 ? " " : "");
        for (int count = rand() % 12; count > 0; count--)
            strcat(expressions[n], parts[rand() % 2 ? rand() % 9 : count % 2 ? 4 + rand() % 2 : rand() % 3]);
        lengths[n] = strlen(texts[n]);
        if (rand() % 4 == 0)
            lengths[n] = (size_t)(rand() % (int)(lengths[n] + 1));
    }
}

unsigned long drive(void)
{
    unsigned long sum = 0;

    lex_total = note_count = 0;
    for (int n = 0; n < TEXTS; n++) {
        struct token out[TOKENS];
        int bad = 0, errors = 0;
        int count = tokenize(texts[n], lengths[n], out, TOKENS, &bad);

        sum = sum * 31 + (unsigned long)count + (unsigned long)bad;
        for (int at = 0; at < (count < 0 ? -count : count); at++)
            sum = sum * 31 + out[at].type + out[at].line * 3ul + out[at].col * 5ul + out[at].len + (unsigned char)out[at].text[0];
        sum = sum * 31 + (unsigned long)evaluate(expressions[n], strlen(expressions[n]), &errors) + (unsigned long)errors;
    }
    return sum * 31 + (unsigned long)note_count + (unsigned long)lex_total;
}
