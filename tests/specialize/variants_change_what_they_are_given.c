/* A function that calls itself under a test of the residual program, and changes what its parameter points to. */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct count {
    int calls;
    int deepest;
    int step;
};

static int descend(struct count *count, int depth, int left)
{
    count->calls += count->step;
    if (depth > count->deepest)
        count->deepest = depth;
    if (left <= 0)
        return depth;
    if (left & 1)
        count->step = 2;
    return descend(count, depth + 1, left - 2) + descend(count, depth + 1, left - 3);
}

int main(void)
{
    struct count count = {0, 0, 1};
    int left = (int)law_input(0, 6) & 15;

    law_output("sum", descend(&count, 0, left));
    law_output("calls", count.calls);
    law_output("deepest", count.deepest);
    law_output("step", count.step);
    return 0;
}
