/* What a table leads to is there for whoever reads the table at run time, with what was stored before. */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

static int one = 1;
static int two = 2;
static int *table[2] = {&one, &two};

int main(void)
{
    unsigned at = (unsigned)law_input(0, 1) & 1;

    one = 5;
    two = 6;
    law_output("read", *table[at]);
    *table[at] = 9;
    law_output("one", one);
    law_output("two", two);
    return 0;
}
