#include <stdio.h>
#include <stdlib.h>
#include "numbers.h"

enum { TEXTS = 32, LONGEST = 200 };
static char texts[TEXTS][LONGEST], hex[TEXTS][32];

void prepare(unsigned seed)
{
    srand(seed + 1);
    for (int n = 0; n < TEXTS; n++) {
        int at = 0;
        texts[n][0] = '\0';
        for (int count = rand() % 10; count > 0; count--)
            at += sprintf(texts[n] + at, "%s%.*ld%s", rand() % 3 ? "" : "\t +", rand() % 4 ? 1 : 24, (long)(rand() - rand()) >> rand() % 30,
                          rand() % 3 ? "  " : rand() % 2 ? ", x-" : "99999999999999999;");
        sprintf(hex[n], "%s%s%x%x%s", rand() % 4 ? "" : " -", rand() % 2 ? "0x" : "", rand(), rand() % 3 ? 0xABC : rand(), rand() % 2 ? "" : "ffz");
    }
}

unsigned long drive(void)
{
    unsigned long sum = 0;
    for (int n = 0; n < TEXTS; n++) {
        long numbers[MOST];
        const int count = read_numbers(texts[n], numbers);
        for (int i = 0; i < count; i++)
            sum = 31 * sum + (unsigned long)numbers[i];
        sum = 31 * sum + (unsigned long)count;
        sum = 31 * sum + (unsigned long)read_hex(hex[n]);
    }
    return sum;
}
