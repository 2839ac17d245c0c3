/* A constant bit-field cannot be assigned alone, and has no address: where a branch decides its initial value, the bytes that
   it lies in are written. */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct packed {
    const unsigned kind : 3;
    int plain;
    const signed deep : 21;
    const unsigned long long wide : 50;
    const _Bool truth : 1;
    unsigned free : 7;
};

static int next(int *state)
{
    *state = (int)((unsigned)*state * 1103515245u + 12345u);
    return (*state >> 5) & 0x3ffffff;
}

static int read(const struct packed *of)
{
    law_output("kind", of->kind);
    law_output("deep", of->deep);
    law_output("wide", (long long)of->wide);
    law_output("truth", of->truth + of->free * 2);
    return of->plain;
}

static int (*volatile reading)(const struct packed *) = read;

static int build(int x, int *state)
{
    struct packed made = { x > 3 ? next(state) & 7 : 5, x, x & 1 ? next(state) % 1000000 : -17,
                           x > 100 ? 0x3ffffffffffffULL : (unsigned long long)next(state) << 20, x > 7 ? 2 : 0, 9 };
    return reading(&made);
}

static int (*volatile building)(int, int *) = build;

int main(void)
{
    int state = (int)law_input(0, 77);
    int rounds = (int)law_input(1, 9) & 15;
    for (int i = 0; i < rounds; i++) {
        int x = (int)(law_input(2 + (i & 3), i * 13) & 0xffff);
        law_output("plain", building(x, &state));
    }
    return 0;
}
