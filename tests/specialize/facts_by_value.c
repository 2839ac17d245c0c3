/* What tests, masks, conversions and remainders say of numbers and addresses decides later tests, however they are written; where
 * paths join, only what all of them know.
 * Not in the residual: "never"
 */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

static void never(int place)
{
    law_output("never", place);
}

static int first_of(const int *p)
{
    if (!p)
        return -1;
    int sum = 0;
    if (p)
        sum = *p;
    if (p != 0)
        sum += 2;
    else
        never(1);
    return sum;
}

static int in_range(int n)
{
    if (n < 0 || n > 9)
        return -1;
    if (n >= 100 || n == -3)
        never(2);
    return n * 2;
}

static int digit(int letter)
{
    if ((unsigned)(letter - '0') < 10) {
        if (letter == 'x' || letter < '0')
            never(3);
        return letter - '0';
    }
    return -1;
}

static int masked(unsigned k)
{
    switch (k & 3) {
    case 0: return 10;
    case 1: return 21;
    case 2: return 32;
    case 3: return 43;
    default: never(4);
    }
    return 0;
}

static int low(unsigned char x, int y)
{
    int wide = x;

    if (wide < 0 || wide > 255)
        never(5);
    if (y % 10 > 9 || y % 10 < -9)
        never(6);
    if ((y & 7) == 4 && (y & 3) != 0)
        never(7);
    return wide + (y & 12);
}

/* Facts of one way, of one round, or of a value that has changed since are not those of another. */
static int forgets(int n, int chooses)
{
    int found = 0;

    if (chooses) {
        if (n > 50)
            return 50;
        found = 1;
    } else {
        found = 2;
    }
    if (n > 50)
        found += 10;
    for (int i = 0; i < 3; i++) {
        if (n > 20) {
            found += 100;
            n -= 15;
        } else {
            found += 1000;
            n += 40;
        }
    }
    unsigned low = (unsigned)n & 0xff;
    while (low < 200) {
        if (low > 100)
            found++;
        low += 37;
    }
    return found + (low > 220 ? 7 : 0);
}

static unsigned sum_of(const unsigned char *bytes, unsigned count)
{
    unsigned sum = 0;
    if (((unsigned long)bytes & 3) != 0)
        return 0;
    if (bytes == 0)
        return 1;
    while (count > 0 && ((unsigned long)bytes & 1) != 0) {
        never(7);
        sum += *bytes++;
        count--;
    }
    return sum + *bytes + count;
}

/* A range of one number is that number: it stays known in sums and addresses, and in what is called. */
static const char *after(const char *text, unsigned long count)
{
    return text + count;
}

static int only_one(unsigned long count, int n)
{
    static const char digits[] = "abc";
    const char *end = digits;
    if (count > 0) {
        if (n < 0 || n >= 1)
            return n;
        if (after(digits, (unsigned long)n) != digits)
            never(8);
        return 3;
    }
    end = after(end, count);
    if (end != digits || *end != 'a')
        never(9);
    count += 2;
    if (count != 2)
        never(10);
    if (n < 7 || n > 7)
        return 1;
    return 10 + n * 2 + (n == 7 ? 0 : (never(11), 1));
}

int main(void)
{
    static int cell = 5;
    static unsigned words[4] = {77, 99, 5, 6};
    static const unsigned char *places[16];

    for (int i = 0; i < 15; i++)
        places[i] = (const unsigned char *)words + (i & 3);

    for (int i = 0; i < 4; i++) {
        int n = (int)law_input(i, i * 17 - 3);

        law_output("first", first_of(law_input(i + 40, i & 1) ? &cell : 0));
        law_output("range", in_range(n));
        law_output("digit", digit((n & 31) + 40));
        law_output("masked", masked((unsigned)n));
        law_output("low", low((unsigned char)n, n));
        law_output("forgets", forgets(n & 127, n & 1));
        law_output("forgets", forgets(n & 63, 1));
        law_output("one", only_one((unsigned long)(n & 1), n & 7) + only_one(0, (n & 1) + 7));
        law_output("aligned", sum_of(places[law_input(i + 60, i) & 15], 8));
    }
    return 0;
}
