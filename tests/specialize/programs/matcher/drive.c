#include <stdlib.h>
#include "match.h"

enum { TEXTS = 64, LONGEST = 60 };
static char texts[TEXTS][LONGEST + 1];

void prepare(unsigned seed)
{
    srand(seed + 1);
    for (int n = 0; n < TEXTS; n++) {
        const int length = rand() % LONGEST;
        for (int i = 0; i < length; i++)
            texts[n][i] = "abbbcd"[rand() % 6];
        texts[n][length] = '\0';
    }
}

unsigned long drive(void)
{
    unsigned long sum = 0;
    for (int n = 0; n < TEXTS; n++)
        sum = 3 * sum + (unsigned long)match_number(texts[n]);
    return sum;
}
