/* Functions that are defined as before C89, and that the residual code has to declare before it defines them. */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

int twice();

int half(number)
    int number;
{
    return number > 100 ? twice(number) : number / 2;
}

int twice(number)
    int number;
{
    return number > 50 ? half(number) : number * 2;
}

static int (*const steps[2])() = {half, twice};

int main(void)
{
    int at = (int)law_input(0, 1) & 1;

    law_output("step", steps[at](5));
    return 0;
}
