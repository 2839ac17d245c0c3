#include <stdio.h>
#include <stdlib.h>
#include "table.h"

enum { TEXTS = 8, LONGEST = 1000 };
static char texts[TEXTS][LONGEST];
static size_t lengths[TEXTS];

void prepare(unsigned seed)
{
    static const char *const fields[] = {"12", "3.25", "a name", "\"quoted; one\"", "\"with \"\"two\"\"\"", " spaces ", "", "\"\"", "comma, here", "long text of words"};
    srand(seed + 1);
    for (int n = 0; n < TEXTS; n++) {
        int at = 0;
        for (int rows = rand() % 10; rows > 0; rows--) {
            for (int count = rand() % 6; count > 0; count--)
                at += sprintf(texts[n] + at, "%s;", fields[rand() % 10]);
            at += sprintf(texts[n] + at, "%s%s", fields[rand() % 10], rand() % 3 ? "\n" : "\r\n");
        }
        if (at > 0 && rand() % 4 == 0)
            texts[n][rand() % at] = "\";\n x"[rand() % 5];
        lengths[n] = (size_t)at;
    }
}

unsigned long drive(void)
{
    unsigned long sum = 0;
    for (int n = 0; n < TEXTS; n++) {
        struct table table;
        sum = 3 * sum + read_table(texts[n], lengths[n], &table);
        sum = 3 * sum + table.fields + 5 * table.rows + table.mixed;
    }
    return sum;
}
