/* A list that the C library gets, one that is taken from beyond its end on some way, and one whose place depends on run time: the
 * function that began it is called as it stands.
 */
#include <stdarg.h>
#include <stdio.h>

extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

static int print(char *out, unsigned long size, const char *format, ...)
{
    va_list ap;
    int n;

    va_start(ap, format);
    n = vsnprintf(out, size, format, ap);
    va_end(ap);
    return n;
}

static long sum(int count, ...)
{
    va_list ap;
    long all = 0;

    va_start(ap, count);
    for (int i = 0; i < count; i++)
        all += va_arg(ap, int);
    va_end(ap);
    return all;
}

static long some(int which, ...)
{
    va_list lists[2];
    long found;

    va_start(lists[0], which);
    va_start(lists[1], which);
    (void)va_arg(lists[1], int);
    found = which ? va_arg(lists[which & 1], int) : -1;
    va_end(lists[0]);
    va_end(lists[1]);
    return found;
}

int main(void)
{
    char out[32];
    int n = (int)law_input(0, 2);

    law_output("printed", print(out, sizeof out, "%d-%s", n, "x"));
    law_output("sum", sum(n & 3, n, 5, 7));
    law_output("known", sum(3, n, 5, 7));
    law_output("some", some(n & 1, 3, 4));
    return 0;
}
