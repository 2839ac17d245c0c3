/* What a volatile pointer points to can change through it, although nobody has written the address anywhere. */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

static int number = 5;
static int *volatile pointer = &number;
static int other = 6;
static int **const table[2] = {(int **)&pointer, 0};
static int *const fixed[2] = {&other, &number};

int main(void)
{
    number = 7;
    *pointer = (int)law_input(0, 11);
    law_output("number", number);
    other = 8;
    *fixed[law_input(1, 0) & 1] = 9;
    law_output("other", other);
    law_output("number", number);
    law_output("table", **table[0]);
    return 0;
}
