/* Texts that a known format makes of known numbers, and numbers that known texts spell: all is known, and nothing is left of either. With an
 * unknown number the format stays.
 * Not in the residual: %s, key, strtol, strcspn, snprintf(
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

static unsigned hash(const char *text)
{
    unsigned sum = 0;

    for (; *text != '\0'; text++)
        sum = sum * 31 + (unsigned char)*text;
    return sum;
}

static long field(const char *record, int number)
{
    char *end;

    for (; number > 0; number--)
        record += strcspn(record, ",") + 1;
    return strtol(record, &end, 0) * 10 + (*end == ',');
}

int main(void)
{
    char name[32], cut[6], line[24];
    const int unknown = (int)law_input(0, 7) & 1023;
    int length = sprintf(name, "%s_%03d%c%-4x|", "key", 42, '!', 255u);

    law_output("name", hash(name) + (unsigned)length);
    length = snprintf(cut, sizeof cut, "%+ld of %5.3zu%%", -7L, (size_t)12);
    law_output("cut", hash(cut) + (unsigned)length);
    law_output("fields", field("12,0x1F,-077", 1) * 1000 + field("12,0x1F,-077", 2));
    length = sprintf(line, "%d;", unknown);
    law_output("line", hash(line) + (unsigned)length);
    return 0;
}
