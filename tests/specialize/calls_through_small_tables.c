/* Calls through tables at indices of which a few values are left: each function is there, and no table.
 * Not in the residual: (*, drivers, ops
 */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

static int calls;
static int inc(int x) { return x + 1; }
static int dec(int x) { return x - 1; }
static int twice(int x) { calls++; return x * 2; }
static int negated(int x) { if (x > 100) return 100; return -x; }
static int (*const ops[4])(int) = { inc, dec, twice, negated };

struct driver {
    const char *name;
    int (*open)(int);
    int (*close)(int);
};
static const struct driver one = { "one", inc, dec }, two = { "two", twice, negated };
static const struct driver *const drivers[] = { &one, &two };

static int run(const unsigned char *code, int length, int x)
{
    for (int i = 0; i < length; i++)
        x = ops[code[i] & 3](x);
    return x;
}

static int drive(unsigned which, int x)
{
    if (which >= 2)
        return -1;
    const struct driver *driver = drivers[which];
    x = driver->open(x) + driver->name[0];
    x += 3;
    return driver->close(x);
}

static const struct { char key; struct driver of; } entries[3] = {
    { 'a', { "a", inc, twice } }, { 'b', { "b", dec, negated } }, { 'c', { "c", twice, inc } },
};

static int entry(unsigned which, int x)
{
    if (which > 2)
        return -7;
    const struct driver *driver = &entries[which].of;
    x = driver->open(x);
    return driver->close(x) + driver->name[0];
}

int main(void)
{
    unsigned char code[6];

    for (int i = 0; i < 6; i++)
        code[i] = (unsigned char)law_input(i, i * 5);
    law_output("run", run(code, (int)(law_input(7, 6) & 7) % 7, (int)law_input(8, 40) & 255));
    for (int i = 0; i < 3; i++)
        law_output("drive", drive((unsigned)law_input(9 + i, i), 7 * i));
    for (int i = 0; i < 4; i++)
        law_output("entry", entry((unsigned)law_input(12 + i, i), 3 * i));
    int (*chosen)(int) = ops[law_input(20, 3) % 2 == 0 ? 2 : 3];
    law_output("chosen", chosen(9) + chosen(-4));
    law_output("calls", calls);
    return 0;
}
