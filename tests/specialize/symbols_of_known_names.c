/* A table of symbols that is filled from known names, in an object of one's own and in the caller's: names are compared as far as the program can tell,
 * by sign alone, also through wrappers and where bytes behind the compared ones are not known. What shows the number itself is left to run time.
 * Not in the residual: "never", intern(
 * In the residual: strcmp("zz", "aa")
 */
#include <string.h>
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

#define MOST 12
struct symbols {
    int count;
    int failed;
    char names[MOST][8];
    long values[MOST];
};
static void never(void)
{
    law_output("never", 1);
}

static int intern(struct symbols *of, const char *name, int length)
{
    int i;
    for (i = 0; i < of->count; i++)
        if (!strncmp(of->names[i], name, (size_t)length) && !of->names[i][length])
            return i;
    if (i == MOST || length > 7) {
        of->failed = 1;
        return 0;
    }
    memcpy(of->names[i], name, (size_t)length);
    of->names[i][length] = 0;
    of->count++;
    return i;
}

static void begin(struct symbols *of)
{
    static const char *const known[] = {"quote", "if", "lambda", "letrec", "#t", "let"};
    memset(of, 0, sizeof *of);
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
        of->values[intern(of, known[i], (int)strlen(known[i]))] = i;
}

/* A comparison that is handed on: callers look at its sign. */
static int order(const char *a, const char *b)
{
    int result = strcmp(a, b);
    if (result == 0)
        return 0;
    return result;
}

static int between(const char *low, const char *text, const char *high)
{
    int below = order(text, low), above = order(text, high);
    return !(below < 0) && above <= 0;
}

static int place(const char *const *sorted, int count, const char *wanted)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        int sign = strcmp(wanted, sorted[middle]);
        if (!sign)
            return middle;
        if (sign < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return -1;
}

static long known_names(long x)
{
    struct symbols symbols;
    begin(&symbols);
    if (symbols.failed || intern(&symbols, "letrec", 6) != 3 || intern(&symbols, "le", 2) != 6)
        never();
    return symbols.values[intern(&symbols, "lambda", 6)] * x;
}

static long names_of_a_caller(struct symbols *symbols, long x)
{
    begin(symbols);
    if (symbols->failed || intern(symbols, "let", 3) != 5)
        never();
    symbols->values[intern(symbols, "x", 1)] = x;
    return symbols->values[5] + symbols->count;
}

static int bytes_behind(int x)
{
    char text[8];
    memcpy(text, "abc", 3);
    text[4] = (char)x;
    if (strncmp(text, "abd", 3) >= 0 || memcmp(text, "abc", 3) || strcmp(text, "b") > 0)
        never();
    return strncmp(text, "abc", 3) + text[4];
}

static int handed_on(int x)
{
    static const char *const sorted[] = {"alpha", "beta", "delta", "gamma", "omega"};
    if (!between("alpha", "beta", "gamma") || between("beta", "alpha", "gamma") || place(sorted, 5, "gamma") != 3)
        never();
    return place(sorted, 5, "epsilon") + x;
}

/* The number itself is nobody's to know: what is compared with another number, or kept, is as the library has it. */
static int kept;
static int shown(int x)
{
    int number = memcmp("abc", "abd", 3);
    kept = number;
    int far = strcmp("zz", "aa"), sum = far + x;
    return (sum > x) + (number < 0) * 2;
}

int main(void)
{
    struct symbols symbols;
    long x = (long)law_input(0, 7);
    law_output("known", known_names(x));
    law_output("caller", names_of_a_caller(&symbols, x));
    law_output("last", symbols.values[symbols.count - 1]);
    law_output("failed", symbols.failed);
    for (int i = 0; i < symbols.count; i++)
        law_output(symbols.names[i], (long long)strlen(symbols.names[i]));
    law_output("behind", bytes_behind((int)x));
    law_output("handed", handed_on((int)x));
    law_output("shown", shown((int)x & 0xff));
    law_output("kept", kept < 0);
    return 0;
}
