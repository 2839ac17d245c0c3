/* What each path knows is its own; where paths join, values have the names of both. */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

static int rounds(int count, int number)
{
    int sum = 0;

    while (count-- > 0) {
        sum = sum * 3 + number;
        if (sum & 1)
            number ^= count;
        else
            sum++;
    }
    return sum;
}

int main(void)
{
    int a = (int)law_input(0, 4) & 0xff;
    int b = (int)law_input(1, 9) & 0xff;
    int chosen = (int)law_input(2, 1) & 3;
    int known;
    int kept;

    if (chosen == 0)
        known = 1;
    else if (chosen == 1)
        known = 20;
    else
        known = 300;
    if (a > b) {
        kept = a;
        a = b;
        b = kept;
    }
    law_output("known", known * 2);
    law_output("order", a * 1000 + b);
    law_output("rounds", rounds(a & 7, b));
    law_output("kept", known == 20 ? b - a : a + b);
    return 0;
}
