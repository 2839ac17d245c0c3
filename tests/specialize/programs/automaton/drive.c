#include <stdlib.h>
#include "lexer.h"

enum { TEXTS = 16, LONGEST = 400 };
static char texts[TEXTS][LONGEST];
static size_t lengths[TEXTS];

static char any(const char *set, int size)
{
    return set[rand() % size];
}

void prepare(unsigned seed)
{
    srand(seed + 1);
    for (int n = 0; n < TEXTS; n++) {
        int i = 0;
        while (i < LONGEST) {
            const int kind = rand() % 4;
            for (int count = rand() % 8 + 1; count > 0 && i < LONGEST; count--)
                texts[n][i++] = kind == 0 ? ' ' : kind == 1 ? any("abcdefgXYZ_", 11) : kind == 2 ? any("0123456789.", 11) : any("+-*/=", 5);
        }
        if (rand() % 8 == 0)
            texts[n][rand() % LONGEST] = (char)(rand() % 256 - 128);
        for (i = 0; i + 1 < LONGEST; i++) /* mostly without lonely dots */
            if (texts[n][i] == '.' && (i == 0 || texts[n][i - 1] < '0' || texts[n][i - 1] > '9' || texts[n][i + 1] < '0' || texts[n][i + 1] > '9'))
                texts[n][i] = ' ';
        lengths[n] = (size_t)(LONGEST - rand() % 40);
    }
}

unsigned long drive(void)
{
    unsigned long sum = 0;
    for (int n = 0; n < TEXTS; n++) {
        unsigned counts[TOKEN_KINDS] = { 0 };
        sum = 5 * sum + (unsigned long)count_tokens(texts[n], lengths[n], counts);
        for (int i = 0; i < TOKEN_KINDS; i++)
            sum = 3 * sum + counts[i];
    }
    return sum;
}
