/* A global keeps the address of a variable whose function has returned. Nobody follows it; what else the program does is specialized as without it.
 * Not in the residual: power(
 */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct context {
    struct context *outer;
    int depth;
};
static struct context *current;
static struct context first;

static int with_context(int x, int depth)
{
    struct context own = {current, depth};
    current = &own;
    if (depth > 0)
        return with_context(x, depth - 1) + current->depth;
    return x;
}

static void set(struct context *to, int n)
{
    if (n > 0)
        set(to, n - 1);
    else
        current = to;
}

static int with_set_context(int x)
{
    struct context own = {&first, x};
    set(&own, x);
    return current->depth + own.depth;
}

static int power(int base, int exponent)
{
    int result = 1;
    for (int i = 0; i < exponent; i++)
        result *= base;
    return result;
}

int main(void)
{
    int x = (int)law_input(0, 3) & 15;
    current = &first;
    law_output("inside", with_context(x, 0));
    law_output("power", power(x, 5));
    law_output("again", with_context(x, 0) + power(x, 3));
    law_output("set", with_set_context(x));
    law_output("then", power(x, 4));
    current = &first;
    law_output("last", current->depth);
    return 0;
}
