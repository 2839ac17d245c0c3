/* Recursive descent over a known text, whose loops try one case after the other and end where none fits.
 * Not in the residual: .p, ->p, s.v
 */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct in { const char *p; const long *v; };

static long sum(struct in *s);

static void skip(struct in *s)
{
    while (*s->p == ' ' || *s->p == '\t')
        s->p++;
}

static long atom(struct in *s)
{
    long n = 0;

    skip(s);
    if (*s->p == '(') {
        s->p++;
        n = sum(s);
        skip(s);
        s->p++;
        return n;
    }
    if (*s->p >= 'a' && *s->p <= 'z')
        return s->v[*s->p++ - 'a'];
    while (*s->p >= '0' && *s->p <= '9')
        n = n * 10 + (*s->p++ - '0');
    return n;
}

static long product(struct in *s)
{
    long r = atom(s);

    for (;;) {
        skip(s);
        if (*s->p == '*') {
            s->p++;
            r *= atom(s);
        } else if (*s->p == '/') {
            long d;

            s->p++;
            d = atom(s);
            r = d ? r / d : 0;
        } else {
            return r;
        }
    }
}

static long sum(struct in *s)
{
    long r = product(s);

    for (;;) {
        skip(s);
        if (*s->p == '+') {
            s->p++;
            r += product(s);
        } else if (*s->p == '-') {
            s->p++;
            r -= product(s);
        } else {
            return r;
        }
    }
}

int main(void)
{
    long v[3];
    struct in s = {"3 * (a + 4*b) - c/(a-b) + 10", v};

    for (int i = 0; i < 3; i++)
        v[i] = (long)(law_input(i, 5 - i) & 0xffff);
    law_output("sum", sum(&s));
    return 0;
}
