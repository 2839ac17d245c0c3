/* What takes too long to compute is left to the residual program: loops without end in sight, and recursion. */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

static unsigned fibonacci(unsigned number)
{
    return number < 2 ? number : fibonacci(number - 1) + fibonacci(number - 2);
}

static unsigned table(unsigned rows)
{
    unsigned row;
    unsigned column;
    unsigned sum = 0;

    for (row = 0; row < rows; row++)
        for (column = 0; column < rows; column++)
            sum = sum * 5 + row * column;
    return sum;
}

int main(void)
{
    unsigned i;
    unsigned sum = 3;

    for (i = 0; i < 30000000; i++)
        sum = sum * 7 + i;
    law_output("sum", sum);
    law_output("table", table(5000));
    law_output("fibonacci", fibonacci(30));
    law_output("input", law_input(0, 1) & 1);
    return 0;
}
