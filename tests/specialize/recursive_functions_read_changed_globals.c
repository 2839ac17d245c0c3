/* A residual function that is called from several places finds globals as they are then, not as they were at the start. */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

static int step = 1;
static int depth;

static int sum(int count)
{
    depth++;
    return count > 0 ? step + sum(count - 1) : 0;
}

int main(void)
{
    int count = (int)(law_input(0, 3) & 7);

    step = 7;
    law_output("sum", sum(count));
    step = (int)(law_input(1, 2) & 15);
    law_output("sum", sum(count));
    law_output("depth", depth);
    return 0;
}
