/* Digits are the same in all locales, other classes are not: a program that chooses a locale asks for those at run time.
 * Not in the residual: 2048, 4096, while, for
 */
#include <ctype.h>
#include <locale.h>

extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

int main(void)
{
    const char *text = "12aF\xe9 7";
    unsigned value = (unsigned)law_input(0, 7);

    setlocale(LC_ALL, "C");
    for (; isdigit((unsigned char)*text) || (isxdigit)((unsigned char)*text); text++)
        value = 16 * value + (unsigned)(isdigit((unsigned char)*text) ? *text - '0' : (*text | 32) - 'a' + 10);
    law_output("number", value);
    law_output("digit", isxdigit('g') == 0);
    law_output("letter", isalpha('g') != 0);
    return 0;
}
