/* Two names of one object: a store to one changes the other, which whittle does not follow. */
extern void law_output(const char *name, long long value);

int numbers[4] = {1, 2, 3, 4};
extern int others[4] __attribute__((alias("numbers")));

int main(void)
{
    others[1] = 20;
    law_output("number", numbers[1]);
    return 0;
}
