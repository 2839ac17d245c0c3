#include <stdlib.h>
#include "csv.h"

enum { TEXTS = 8, SIZE = 1200 };
static char texts[TEXTS][SIZE];
static size_t lengths[TEXTS];

static char *word(char *at)
{
    for (int count = rand() % 12; count > 0; count--)
        *at++ = "abcdefghij kl\r"[rand() % 14];
    return at;
}

static char *quoted(char *at)
{
    *at++ = '"';
    for (int count = rand() % 12; count > 0; count--) {
        *at++ = "abc;\n\"defg"[rand() % 10];
        if (at[-1] == '"')
            *at++ = '"';
    }
    *at++ = '"';
    return at;
}

void prepare(unsigned seed)
{
    srand(seed + 1);
    for (int n = 0; n < TEXTS; n++) {
        char *at = texts[n];
        while (at < texts[n] + SIZE - 120) {
            at = rand() % 3 == 0 ? quoted(at) : word(at);
            if (rand() % 200 != 0)
                *at++ = ';';
            for (int count = rand() % 7; count > 0; count--)
                *at++ = (char)('0' + rand() % 10);
            for (int count = rand() % 3; count > 0; count--) {
                *at++ = ';';
                at = rand() % 3 == 0 ? quoted(at) : word(at);
            }
            *at++ = '\n';
        }
        lengths[n] = (size_t)(at - texts[n]) - (size_t)(rand() % 30);
    }
}

unsigned long drive(void)
{
    unsigned long sum = 0;
    for (int n = 0; n < TEXTS; n++) {
        struct totals totals = { 0 };
        sum = 5 * sum + (unsigned long)total(texts[n], lengths[n], &totals);
        sum = 3 * sum + (unsigned long)totals.sum;
        sum = 3 * sum + totals.rows + 7 * totals.fields + totals.names;
    }
    return sum;
}
