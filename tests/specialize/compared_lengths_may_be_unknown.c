/* How much `strncmp` compares may be known only at run time: what it gives is then not known either. */
#include <string.h>

extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

int main(void)
{
    size_t some = (size_t)(law_input(0, 1) & 3);
    const char *known = "x+1";

    law_output("strncmp", strncmp(known, "x", some) == 0);
    law_output("sign", strncmp("a", known, some) < 0);
    law_output("two", strncmp(known, "x*", 2) == 0);
    law_output("one", strncmp(known, "x*", 1) == 0);
    law_output("memcmp", memcmp(known, "x*2", some) == 0);
    return 0;
}
