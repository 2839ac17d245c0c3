/* A comparison's value is 0 or 1, and is itself compared with numbers on either side, by every operator. */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

static int above(unsigned a)
{
    unsigned t = a ^ 5u;
    if ((1 < t) > 0) {
        if (!t)
            return 1;
        if (1 == t)
            return 2;
    } else if (0 == t) {
        return 3;
    }
    return 4;
}

static int below(unsigned a)
{
    if ((a < 2) < 1) {
        if (a == 0 || a == 1)
            return 1;
        return 2;
    }
    return a > 1 ? 3 : 4;
}

static int between(int a)
{
    int sum = 0;
    if (0 < (a == 3))
        sum += a == 3 ? 1 : 2;
    if (1 >= (a == 4))
        sum += a == 4 ? 4 : 8;
    if ((a == 5) <= 0)
        sum += a == 5 ? 16 : 32;
    if ((a > 6) >= 1)
        sum += a < 6 ? 64 : 128;
    if ((a > 7) == 2)
        sum += 256;
    if ((a > 8) > -1)
        sum += a > 8 ? 512 : 1024;
    if ((a > 9) != 1)
        sum += a > 9 ? 2048 : 4096;
    if (-1 == (a > 1))
        sum += 8192;
    return sum;
}

static int of_unsigned(unsigned a, unsigned b)
{
    if ((unsigned long)(a < b) > 0ul)
        return a == b ? 1 : 2;
    if ((unsigned char)(a > b) < 1u)
        return a == b ? 3 : 4;
    return a == b ? 5 : 6;
}

int main(void)
{
    const int a = (int)law_input(0, 3), b = (int)law_input(1, 4);
    law_output("above", above((unsigned)a));
    law_output("below", below((unsigned)a));
    law_output("between", between(a));
    law_output("unsigned", of_unsigned((unsigned)a, (unsigned)b));
    return 0;
}
