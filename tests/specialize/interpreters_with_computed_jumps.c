/* An interpreter that jumps by a table of labels becomes its guest program, loops and all, as one with a `switch` does.
 * Not in the residual: "never", "next"
 */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

enum { PUSH, ADD, SUB, LOAD, STORE, BACK_IF, DUP, MUL, HALT };

static long long run(const signed char *code, long long *locals)
{
    static const void *const table[] = {&&push, &&add, &&sub, &&load, &&store, &&back_if, &&dup, &&mul, &&halt};
    long long stack[16], *top = stack;
    const signed char *at = code;
    int next;

#define GO_ON do { next = *at++; goto *table[next]; } while (0)
    GO_ON;
push:
    *top++ = *at++;
    GO_ON;
add:
    top--;
    top[-1] = (long long)((unsigned long long)top[-1] + (unsigned long long)top[0]);
    GO_ON;
sub:
    top--;
    top[-1] = (long long)((unsigned long long)top[-1] - (unsigned long long)top[0]);
    GO_ON;
load:
    *top++ = locals[*at++];
    GO_ON;
store:
    locals[*at++] = *--top;
    GO_ON;
back_if:
    if (*--top > 0)
        at += *at;
    else
        at++;
    GO_ON;
dup:
    *top = top[-1];
    top++;
    GO_ON;
mul:
    top--;
    top[-1] = (long long)((unsigned long long)top[-1] * (unsigned long long)top[0]);
    if (top - stack > 12)
        law_output("never", 1);
    GO_ON;
halt:
    return top[-1];
}

/* for (s = 0, i = n; i > 0; i--) for (j = i; j > 0; j--) s += i * j; */
static const signed char sums[] = {
    LOAD, 1, STORE, 2,
    LOAD, 0, LOAD, 1, LOAD, 2, MUL, ADD, STORE, 0, LOAD, 2, PUSH, 1, SUB, DUP, STORE, 2, BACK_IF, -19,
    LOAD, 1, PUSH, 1, SUB, DUP, STORE, 1, BACK_IF, -33,
    LOAD, 0, HALT,
};

int main(void)
{
    for (int i = 0; i < 3; i++) {
        long long locals[3] = {0, (law_input(i, i + 2) & 7) + 1, 0};
        law_output("sum", run(sums, locals));
    }
    return 0;
}
