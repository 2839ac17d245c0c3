#include <stdlib.h>
#include <whittle/specialize.h>
#include "numbers.h"

/* Decimal numbers with anything that is none between them. */
WHITTLE_SPECIALIZE
int read_numbers(const char *text, long *numbers)
{
    int count = 0;
    while (*text != '\0' && count < MOST) {
        char *end;
        const long number = strtol(text, &end, 10);
        if (end == text) {
            text++;
            continue;
        }
        numbers[count++] = number;
        text = end;
    }
    return count;
}

WHITTLE_SPECIALIZE
long read_hex(const char *text)
{
    return strtol(text, NULL, 16);
}
