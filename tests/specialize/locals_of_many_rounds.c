/* What is computed may take long: locals of rounds that are over are in nobody's way. */
extern void law_output(const char *name, long long value);

static void add(int *sum, int value)
{
    *sum = (*sum * 3 + value) % 1000003;
}

int main(void)
{
    int i;
    int sum = 1;

    for (i = 0; i < 200000; i++) {
        int now = sum;
        add(&now, 7);
        sum = now;
    }
    law_output("sum", sum);
    return 0;
}
