/* What runs before `main` changes what variables hold when it begins; what runs after it sees what it left. */
#include <stdlib.h>

extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

static int changed = 1, kept = 5, left, last;
static int *const place = &changed;

__attribute__((constructor)) static void before(void)
{
    *place = 2 + (int)law_input(0, 0);
}

__attribute__((destructor)) static void after(void)
{
    law_output("left", left);
}

static void at_exit(void)
{
    law_output("last", last);
}

int main(void)
{
    atexit(at_exit);
    law_output("changed", changed);
    law_output("kept", kept);
    left = 3;
    last = kept + changed;
    return 0;
}
