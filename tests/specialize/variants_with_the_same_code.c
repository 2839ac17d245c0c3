/* Functions that recurse have variants for what is known of their arguments; where the code comes out the same, one is left.
 * Not in the residual: count_2, count_3
 */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

/* `kind` makes no difference in the end. */
static int count(const int *list, int n, int kind)
{
    int doubled = kind * 2;
    if (n == 0)
        return 0;
    if (doubled > 100)
        return -1;
    return (list[n - 1] & 1) + count(list, n - 1, kind);
}

/* The same with two functions that call each other. */
static int odd(const int *list, int n, int kind);
static int even(const int *list, int n, int kind)
{
    return n == 0 ? kind > 0 : odd(list, n - 1, kind) + list[n];
}

static int odd(const int *list, int n, int kind)
{
    return n == 0 ? 0 : even(list, n - 1, kind) - list[n];
}

/* Functions whose addresses are compared stay what they are. */
typedef int (*judge)(int);
static int small(int x)
{
    return x < 9;
}

static int little(int x)
{
    return x < 9;
}

int main(void)
{
    int list[16], n = (int)law_input(0, 9) & 15;
    for (int i = 0; i < 16; i++)
        list[i] = (int)law_input(i & 3, i) + i;
    law_output("one", count(list, n, 1));
    law_output("two", count(list, n, 2));
    law_output("three", count(list, n / 2, 3));
    law_output("even", even(list, n, 1) + even(list, n, 2));
    judge judges[2] = {small, little};
    law_output("judges", judges[n & 1](n) + (judges[n & 1] == judges[(n + 1) & 1]) * 10);
    return 0;
}
