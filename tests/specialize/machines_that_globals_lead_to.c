/* A stack machine whose address a global keeps: its program counter and its stack pointer stay known where ways of the guest meet.
 * Not in the residual: switch (
 * Lines of the residual: at most 45
 */
#include <whittle/specialize.h>

struct vm {
    signed char code[16];
    int ds[8], rs[4];
    int *sp, *rp;
    int err, fuel;
};
enum { EXIT, LIT, QDUP, IF, GOTO, ADD };
static struct vm *current;

static void push(struct vm *f, int v)
{
    if (f->sp == f->ds + 8)
        f->err = 1;
    else
        *f->sp++ = v;
}

static int pop(struct vm *f)
{
    if (f->sp == f->ds) {
        f->err = 2;
        return 0;
    }
    return *--f->sp;
}

static void run(struct vm *f)
{
    int ip = 0, a;
    current = f;
    while (!f->err)
        switch (f->code[ip++]) {
        case EXIT:
            return;
        case LIT:
            push(f, f->code[ip++]);
            break;
        case QDUP:
            a = pop(f);
            push(f, a);
            if (a)
                push(f, a);
            break;
        case IF:
            ip = pop(f) ? ip + 1 : f->code[ip];
            break;
        case GOTO:
            ip = f->code[ip];
            break;
        case ADD:
            a = pop(f);
            push(f, pop(f) + a);
            break;
        }
}

/* : g ?dup if 1 + exit then 42 ; */
WHITTLE_SPECIALIZE int successor(int v)
{
    struct vm f = {{QDUP, IF, 7, LIT, 1, ADD, EXIT, LIT, 42, EXIT}};
    f.sp = f.ds;
    push(&f, v);
    run(&f);
    current = 0;
    return pop(&f) + f.err;
}
