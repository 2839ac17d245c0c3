#include <limits.h>
#include "numbers.h"

static const char *skip_to_sign(const char *text)
{
    while (*text == ' ' || (*text >= '\t' && *text <= '\r'))
        text++;
    return text;
}

/* Of decimal digits; what is too large becomes the largest. */
static const char *read_decimal(const char *text, long *number)
{
    const char *at = skip_to_sign(text);
    const int negative = *at == '-';
    if (negative || *at == '+')
        at++;
    if ((unsigned char)(*at - '0') > 9)
        return text;
    const unsigned long limit = (unsigned long)LONG_MAX + (unsigned long)negative;
    unsigned long value = 0;
    int count = 0, over = 0;
    for (unsigned digit; (digit = (unsigned char)(*at - '0')) <= 9; at++) {
        if (++count >= 19 && (over || value > (limit - digit) / 10))
            over = 1;
        else
            value = 10 * value + digit;
    }
    if (over)
        value = limit;
    *number = (long)(negative ? -value : value);
    return at;
}

int read_numbers(const char *text, long *numbers)
{
    int count = 0;
    while (*text != '\0' && count < MOST) {
        const char *end = read_decimal(text, &numbers[count]);
        if (end == text) {
            text++;
        } else {
            text = end;
            count++;
        }
    }
    return count;
}

long read_hex(const char *text)
{
    text = skip_to_sign(text);
    const int negative = *text == '-';
    if (negative || *text == '+')
        text++;
    if (*text == '0' && (text[1] | 32) == 'x')
        text += 2;
    const unsigned long limit = (unsigned long)LONG_MAX + (unsigned long)negative;
    unsigned long value = 0;
    int over = 0;
    for (;; text++) {
        unsigned digit = (unsigned char)(*text - '0');
        if (digit > 9) {
            digit = (unsigned char)((*text | 32) - 'a');
            if (digit > 5)
                break;
            digit += 10;
        }
        if (over || value > (limit - digit) / 16)
            over = 1;
        else
            value = 16 * value + digit;
    }
    if (over)
        value = limit;
    return (long)(negative ? -value : value);
}
