/* A recursive function keeps the address of its caller's local, in a structure of its own, in a global or in a static, and what it
 * calls writes there: the caller's local is not as it was.
 */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct list {
    int v;
    struct list *up;
};

static struct list first;

static int linked(int n, struct list *up, int x)
{
    struct list me = {7, up};

    if (n <= 0) {
        if (up->up)
            up->up->v = x;
        return 0;
    }
    linked(n - 1, &me, x);
    return me.v;
}

static int *saved;

static int global(int n, int *up, int x)
{
    int me = 7, r;

    if (n == 1 && up)
        saved = up;
    if (n == 0) {
        if (saved)
            *saved += x;
        return 0;
    }
    r = global(n - 1, &me, x);
    return r + me;
}

static int rotated(int n, int *up, int *upup, int x)
{
    int me[2] = {1, 2}, r;

    if (n == 1 && upup)
        saved = upup + 1;
    if (n == 0) {
        if (saved)
            *saved = x;
        return 0;
    }
    r = rotated(n - 1, me, up, x);
    return r * 2 + me[0] + me[1];
}

static int keep(int *p, int x)
{
    static int *kept;

    if (p) {
        kept = p;
        return 0;
    }
    if (kept && x) {
        *kept += x;
        return 1;
    }
    kept = 0;
    return 0;
}

static int zero;

static int in_static(int n, int *up, int x)
{
    int me = 7, r;

    if (n == 1)
        keep(up, 0);
    if (n <= 0)
        return keep(0, x);
    r = in_static(n - 1, &me, x);
    return r + me;
}

static int a(int n, int *up, int x);

static int b(int n, int *up, int x)
{
    int me = 3;

    (void)up;
    if (n <= 0) {
        if (saved)
            *saved *= x;
        return 0;
    }
    return a(n - 1, &me, x) + me;
}

static int a(int n, int *up, int x)
{
    int me = 7;

    if (n == 1 && up)
        saved = up;
    if (n <= 0) {
        if (saved)
            *saved += x;
        return 0;
    }
    return b(n - 1, &me, x) * 2 + me;
}

struct scope {
    char name;
    int v;
    struct scope *up;
};

static int evaluate(const char **s, struct scope *e, int d)
{
    char c = **s;
    int v;

    if (c)
        ++*s;
    if (d > 6)
        return 1;
    switch (c) {
    case 'L': {
        struct scope inner;

        inner.name = 'a';
        inner.v = 3;
        inner.up = e;
        v = evaluate(s, &inner, d + 1);
        return v * 5 + inner.v;
    }
    case 'S':
        v = evaluate(s, e, d + 1);
        if (e && e->up)
            e->up->v = v;
        return v;
    case '+':
        v = evaluate(s, e, d + 1);
        return v + evaluate(s, e, d + 1);
    case 0: return 0;
    default: return e ? e->v : c;
    }
}

int main(void)
{
    char text[14];
    const char *s = text;
    int n = (int)(law_input(0, 2) & 3), x = (int)(law_input(1, -5) & 63) - 32;
    unsigned u = (unsigned)law_input(2, 5) * 2654435761u;

    law_output("linked", linked(n, &first, x));
    saved = 0;
    law_output("global", global(n, 0, x));
    saved = 0;
    law_output("rotated", rotated(n, 0, 0, x));
    saved = 0;
    keep(0, 0);
    law_output("in_static", in_static(n, &zero, x));
    keep(0, 0);
    law_output("zero", zero);
    law_output("mutual", a(n, 0, x));
    saved = 0;
    for (int i = 0; i < 13; i++) {
        text[i] = "LLLSS+ab"[(u >> 7) % 8];
        u = u * 1664525u + 1013904223u;
    }
    text[13] = 0;
    law_output("evaluate", evaluate(&s, 0, 0));
    return 0;
}
