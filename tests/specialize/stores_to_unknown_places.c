/* A store to a place that only the residual program knows may change everything that it can reach. */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct pair {
    int *first;
    int *second;
};

int main(void)
{
    unsigned at = (unsigned)law_input(0, 1) & 3;
    int numbers[4] = {11, 12, 13, 14};
    int zeros[8] = {0};
    int one = 1;
    int two = 2;
    int *both[4] = {&one, &two, &one, &two};
    struct pair pairs[4] = {{&one, &two}, {&two, &one}, {&one, &one}, {&two, &two}};

    law_output("read", numbers[at]);
    numbers[at] = 9;
    law_output("own", numbers[1]);
    law_output("sum", numbers[0] + numbers[1] + numbers[2] + numbers[3]);
    *both[at] = 5;
    law_output("one", one);
    law_output("two", two);
    one = 7;
    law_output("behind", *both[at] * 10 + *pairs[at].first);
    *pairs[at].second += 3;
    law_output("one", one);
    law_output("two", two);
    zeros[at] = 4;
    law_output("zeros", zeros[0] + zeros[1] * 2 + zeros[2] * 3 + zeros[3] * 4 + zeros[7] + zeros[at + 2]);
    return 0;
}
