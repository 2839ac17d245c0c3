/* An evaluator of a known tree whose results are structures, under tests that are not known.
 * Not in the residual: switch, ->op
 */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct pair { long a, b; };
struct node { char op; int value; const struct node *l, *r; };

static struct pair eval(const struct node *n, const long *vars)
{
    struct pair x, y, r;

    switch (n->op) {
    case '#':
        r.a = n->value;
        r.b = 1;
        return r;
    case 'v':
        r.a = vars[n->value];
        r.b = 1;
        return r;
    case '?':
        x = eval(n->l, vars);
        return x.a ? eval(n->r->l, vars) : eval(n->r->r, vars);
    case '/':
        x = eval(n->l, vars);
        y = eval(n->r, vars);
        r.a = x.a * y.b;
        r.b = x.b * y.a;
        return r;
    default:
        x = eval(n->l, vars);
        y = eval(n->r, vars);
        r.a = x.a * y.b + y.a * x.b;
        r.b = x.b * y.b;
        return r;
    }
}

static const struct node v0 = {'v', 0, 0, 0}, v1 = {'v', 1, 0, 0}, two = {'#', 2, 0, 0}, sum = {'+', 0, &v0, &two},
                         quotient = {'/', 0, &sum, &v1}, arms = {':', 0, &quotient, &sum}, choice = {'?', 0, &v1, &arms},
                         root = {'+', 0, &choice, &choice};

int main(void)
{
    long vars[2];
    struct pair p;

    vars[0] = (long)(law_input(0, 5) & 255);
    vars[1] = (long)(law_input(1, 3) & 15);
    p = eval(&root, vars);
    law_output("a", p.a);
    law_output("b", p.b);
    return 0;
}
