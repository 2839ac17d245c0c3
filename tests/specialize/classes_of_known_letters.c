/* Classes of letters that are known, by glibc's tables and by calls: the tokens of a text are counted, and nothing is left of it. Of a letter
 * that is not known the library is asked as ever.
 * Not in the residual: while, for, strange, toupper
 */
#include <ctype.h>
#include <locale.h>

extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

static const unsigned short *const *classes(void)
{
    return (const unsigned short *const *)__ctype_b_loc();
}

static unsigned tokens(const char *text)
{
    unsigned count = 0;

    while (*text != '\0') {
        const unsigned char letter = (unsigned char)*text;
        if (isspace(letter)) {
            text++;
        } else if (isalpha(letter)) {
            while (isalnum((unsigned char)*text))
                text++;
            count += 1;
        } else if ((isdigit)(letter)) {
            while ((isxdigit)((unsigned char)*text))
                text++;
            count += 16;
        } else {
            text++;
            count += 256;
        }
    }
    return count;
}

static unsigned all_letters(void)
{
    unsigned hash = 0;

    for (int letter = -1; letter < 128; letter++) {
        hash = hash * 31 + (isupper(letter) != 0) + 2 * (islower(letter) != 0) + 4 * (isprint(letter) != 0);
        hash = hash * 31 + (isgraph(letter) != 0) + 2 * (isblank(letter) != 0) + 4 * (iscntrl(letter) != 0);
        hash = hash * 31 + (ispunct(letter) != 0) + 2 * (isspace(letter) != 0) + 4 * (isxdigit(letter) != 0);
        hash = hash * 31 + (unsigned)toupper(letter) + 256 * (unsigned)tolower(letter);
        hash = hash * 31 + (*classes())[letter];
        if (letter >= 0 && isupper(letter) && isdigit(letter))
            law_output("strange", letter);
    }
    return hash;
}

int main(void)
{
    const int unknown = (int)law_input(0, 'a') & 127;
    const unsigned short *table = *classes();

    law_output("tokens", tokens("if (x1 == 0x1F)\n\treturn 12ab;"));
    law_output("all", all_letters());
    law_output("unknown", (isalpha(unknown) != 0) + 2 * (isspace(unknown) != 0));
    law_output("table", (table[unknown] & 1) + table['a']);
    return 0;
}
