/* The result of a search is compared with what is known already: the search goes, whatever the library's function is called.
 * Not in the residual: strnlen, strspn, memrchr
 */
#define _GNU_SOURCE
#include <string.h>

extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

static long measure(const char *text, size_t most, int checks)
{
    size_t length = strnlen(text, most);
    size_t blanks = strspn(text, " ");
    const void *last = memrchr(text, 'x', most);

    if (checks && length + blanks > most + (last != 0))
        return -1;
    return text[0];
}

int main(void)
{
    char text[8] = "  xyz";

    text[1] = (char)law_input(0, 32);
    law_output("letter", measure(text, sizeof text, 0));
    return 0;
}
