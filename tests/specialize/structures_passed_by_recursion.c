/* A recursive function that gets a structure by value: what is known of the structure is known in each function made of it, and what its
 * pointers lead to the function changes, also where another argument leads there.
 * Not in the residual: == 40, open */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct context {
    int depth;
    int *count;
    const char *at;
};

static int walk(struct context context, const int *values, int *seen)
{
    int sum = *seen;
    ++*context.count;
    *seen += context.depth;
    if (context.depth == 6)
        return 1;
    for (; *context.at && *context.at != ')'; context.at++) {
        if (*context.at == '(') {
            struct context inner = context;
            inner.depth++;
            inner.at++;
            if (values[context.depth] & 1)
                sum += walk(inner, values + 1, seen);
            int open = 1;
            for (context.at++; open; context.at++)
                open += (*context.at == '(') - (*context.at == ')');
            context.at--;
        } else {
            sum = *context.at == '+' ? sum + values[context.depth & 1] : sum * 3;
        }
        sum &= 0xffff;
    }
    return sum + *context.count;
}

int main(void)
{
    int values[20], count = 3, seen = 0, other = 5;
    for (int i = 0; i < 20; i++)
        values[i] = (int)(law_input(0, 3) >> i & 1) + (int)(law_input(1, 1) & 255);
    const int *from = values + (law_input(2, 0) & 3);
    struct context context = {0, &count, "+(*(++)(+(+*)))+(*(+)*)*"};
    law_output("sum", walk(context, from, &seen));
    law_output("count", count);
    law_output("seen", seen);
    /* The structure's pointer and an argument lead to the same. */
    context.count = &other;
    law_output("shared", walk(context, from, &other));
    law_output("other", other);
    law_output("kept", *context.at + context.depth);
    return 0;
}
