/* A pointer that is made of bytes may cross the border between two members. */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct numbers {
    int head;
    int low[4];
    int high[4];
};

int sum(const struct numbers *numbers, int count)
{
    const int *at = (const int *)(const void *)((const char *)numbers + 4);
    int i, all = 0;

    for (i = 0; i < count; i++)
        all += at[i];
    return all;
}

void fill(struct numbers *numbers, int count, int value)
{
    int *at = (int *)(void *)((char *)numbers + 4);
    int i;

    for (i = 0; i < count; i++)
        at[i] = value + i;
}

int main(void)
{
    static struct numbers numbers = {1, {2, 3, 4, 5}, {6, 7, 8, 9}};
    struct numbers local = numbers;
    int count = (int)(law_input(0, 8) & 7) + 1;
    int i;

    numbers.low[3] = (int)law_input(1, 5) & 0xff;
    local.high[0] = numbers.low[3];
    law_output("static", sum(&numbers, count));
    law_output("local", sum(&local, count));
    law_output("all", sum(&numbers, 8));
    fill(&numbers, count, 3);
    fill(&local, 8, count);
    for (i = 0; i < 4; i++) {
        law_output("numbers", numbers.low[i] * 100 + numbers.high[i]);
        law_output("local", local.low[i] * 100 + local.high[i]);
    }
    return 0;
}
