/* Tables and compiled patterns that a function builds in a variable of its own: where every read finds the same constants, the variable is a
 * constant object, and nothing builds it at run time; also where its address is lent to functions that only read, and on several paths.
 * What differs between reads, is changed, or is handed to who may change it, stays a variable.
 * In the residual: static const struct dfa dfa
 * Not in the residual: differs(, on_paths(
 */
#include <string.h>
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct dfa {
    short states;
    unsigned char flags : 3, accepts : 5;
    const char *name;
    signed char next[6][4];
    double weight[3];
};

static int class_of(int c)
{
    return c >= 'a' && c <= 'c' ? c - 'a' : 3;
}

/* Accepts texts that hold `pattern`, as a table. */
static void compile(struct dfa *to, const char *pattern)
{
    int length = (int)strlen(pattern);
    memset(to, 0, sizeof *to);
    to->states = (short)(length + 1);
    to->flags = 5;
    to->accepts = (unsigned)length;
    to->name = pattern;
    for (int state = 0; state <= length; state++)
        for (int c = 0; c < 4; c++) {
            int best = state == length ? length : 0;
            for (int keep = state + 1; keep > 0 && state < length; keep--) {
                char seen[8];
                memcpy(seen, pattern, (size_t)state);
                seen[state] = c == 3 ? '?' : (char)('a' + c);
                if (!memcmp(seen + state + 1 - keep, pattern, (size_t)keep)) {
                    best = keep;
                    break;
                }
            }
            to->next[state][c] = (signed char)best;
        }
    for (int i = 0; i < 3; i++)
        to->weight[i] = i * 0.5;
}

static int run(const struct dfa *of, const char *text, int length)
{
    int state = 0;
    for (int i = 0; i < length; i++)
        state = of->next[state][class_of(text[i])];
    return state == of->accepts;
}

static int deep(const struct dfa *of, const char *text, int length)
{
    if (length == 0)
        return of->next[0][0];
    return of->next[length % 3][class_of(*text)] + deep(of, text + 1, length - 1);
}

static void scribble(signed char *to, int at)
{
    to[at] = 2;
}

static int in_table(const char *text, int length)
{
    unsigned char table[256];
    int count = 0;
    for (int i = 0; i < 256; i++)
        table[i] = (unsigned char)(i * 7 + (i >> 3));
    for (int i = 0; i < length; i++)
        count += table[(unsigned char)text[i]];
    return count;
}

static int differs(const char *text, int length, int which)
{
    int table[16], count = 0;
    for (int i = 0; i < 16; i++)
        table[i] = i * i;
    if (which)
        for (int i = 0; i < 16; i++)
            table[i] = i * i * i;
    for (int i = 0; i < length; i++)
        count += table[text[i] & 15];
    for (int i = 0; i < 16; i++)
        table[i] = 100 - i;
    for (int i = 0; i < length; i++)
        count += table[text[i] & 15];
    return count;
}

static int on_paths(const char *text, int length, int which)
{
    long table[12];
    long count = 0;
    if (which == 1) {
        for (int i = 0; i < 12; i++)
            table[i] = i * 3;
        count += table[text[0] & 7];
    } else if (which == 2) {
        for (int i = 11; i >= 0; i--)
            table[i] = i * 3;
        count += 2 * table[text[1] & 7];
    } else {
        return 5;
    }
    for (int i = 0; i < length; i++)
        count += table[text[i] % 11 & 7];
    return (int)count;
}

/* Lent to a function that writes there, and kept by one. A third keeps the address of what is gone by then. */
static void write_there(signed char *to, int n)
{
    signed char copy[n + 1];
    memset(copy, 77, (size_t)n + 1);
    memcpy(to + 3, copy, (size_t)n + 1);
}

static signed char *kept, *gone;
static void keep(signed char *to, int n)
{
    signed char copy[n + 1];
    copy[n] = 1;
    kept = to + copy[n];
}

static void keep_own(int x)
{
    signed char own[40];
    for (int i = 0; i < 40; i++)
        own[i] = (signed char)x;
    gone = own + own[x];
}

static int lent(int n, int which)
{
    signed char written[40], held[40];
    int sum = 0;
    for (int i = 0; i < 40; i++)
        written[i] = held[i] = (signed char)(i ^ 5);
    write_there(written, n);
    keep(held, n);
    kept[which + 3] = 50;
    for (int i = 0; i < n + 8; i++)
        sum = sum * 3 + written[i] + held[i];
    keep_own(7);
    return sum;
}

/* Each call has a variable of its own, though all hold the same: their addresses differ. */
static int own_frames(const int *first, const int *second, int n)
{
    int own[12];
    for (int i = 0; i < 12; i++)
        own[i] = i * 5;
    int same = first == second ? 1000 : 0;
    if (n <= 0)
        return own[(unsigned)n & 7] + same;
    return own_frames(second, own, n - 1) + second[n % 3] + own[n % 12] + same;
}

int main(void)
{
    char text[24];
    int length = (int)law_input(0, 9) & 15, which = (int)law_input(1, 1) & 3;
    struct dfa dfa, other;
    int frames[6] = {which, length, 2, 3, which, 5};
    for (int i = 0; i < 24; i++)
        text[i] = (char)('a' + ((length * 5 + i * which + i / 3) & 3));
    compile(&dfa, "abca");
    law_output("run", run(&dfa, text, length));
    law_output("deep", deep(&dfa, text, length));
    law_output("whole", memcmp(&dfa.next, text, sizeof dfa.next) != 0);
    law_output("weight", (long long)(dfa.weight[length % 3] * 8) + dfa.name[length & 3] + dfa.flags);
    compile(&other, "ab");
    scribble(&other.next[0][0], which);
    law_output("other", run(&other, text, length));
    law_output("table", in_table(text, length));
    law_output("frames", own_frames(frames, frames + 3, length));
    law_output("lent", lent(length, which));
    law_output("differs", differs(text, length, which & 1));
    law_output("paths", on_paths(text, length, which));
    for (int turn = 0; turn < (which & 1) + 1; turn++) {
        compile(&dfa, turn ? "cc" : "ba");
        law_output("turn", run(&dfa, text, length));
    }
    return 0;
}
