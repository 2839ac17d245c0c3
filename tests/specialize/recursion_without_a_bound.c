/* What grows from call to call under a test of run time is given up, and everything ends. */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

static long count(int depth, long n)
{
    return n <= 0 ? depth : count(depth + 1, n - 1) + (depth & 1);
}

static long both(int depth, int other, long n)
{
    if (n <= 0)
        return depth * 3 + other;
    return n & 1 ? both(depth + 1, other, n - 1) : both(depth, other + 2, n - 1);
}

int main(void)
{
    law_output("count", count(0, (long)(law_input(0, 9) & 127)));
    law_output("both", both(0, 0, (long)(law_input(1, 70) & 127)));
    return 0;
}
