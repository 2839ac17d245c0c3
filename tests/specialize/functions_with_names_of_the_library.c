/* The program's own functions may have names of library functions, and do something else. */
#include <setjmp.h>
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

static int count;
static jmp_buf place;

/* They are called as they stand, because of `setjmp`. */
static int getpid(void)
{
    if (setjmp(place) == 0)
        count += 3;
    return count;
}

static unsigned long read(int *counted, unsigned long by)
{
    if (setjmp(place) == 0)
        *counted += (int)by;
    return 7;
}

static void _exit(int by)
{
    if (setjmp(place) == 0)
        count += by;
}

static void check(int n)
{
    if (n & 1)
        _exit(1);
    else
        _exit(2);
}

int main(void)
{
    const int n = (int)law_input(0, 3) & 0xff;
    int own = 5;
    count = 1;
    law_output("first", getpid() * 10 + count);
    law_output("second", (long long)read(&own, 4) + own * 10);
    check(n);
    law_output("third", count);
    getpid();
    law_output("last", count + own);
    return 0;
}
