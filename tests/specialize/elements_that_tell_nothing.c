/* A number from a table that is combined with what is not known stays one load: a test of the numbers that it may be would tell nothing.
 * Not in the residual: == 0
 * Lines of the residual: at most 60
 */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct classes {
    unsigned bits[2][8];
};

static void fill(struct classes *of)
{
    for (int i = 0; i < 8; i++)
        of->bits[0][i] = of->bits[1][i] = 0;
    for (int c = '0'; c <= '9'; c++)
        of->bits[0][c >> 5] |= 1u << (c & 31);
    for (int c = 'a'; c <= 'z'; c++)
        of->bits[1][c >> 5] |= 1u << (c & 31);
}

static int in_class(const struct classes *of, int which, unsigned char c)
{
    int hit = of->bits[which][c >> 5] >> (c & 31) & 1;
    return hit ? 1 : 0;
}

int main(void)
{
    struct classes classes;
    int count = 0, c = (int)law_input(0, 'q');
    fill(&classes);
    if (in_class(&classes, 0, (unsigned char)c))
        count += 1;
    if (in_class(&classes, 1, (unsigned char)c))
        count += 2;
    law_output("count", count);
    return 0;
}
