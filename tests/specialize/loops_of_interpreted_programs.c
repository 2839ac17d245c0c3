/* An interpreter of a fixed program with a loop and a counter: the program counter and the depth of the stack stay known, what the
 * guest counts does not. No instruction is fetched at run time.
 * Not in the residual: switch, prog[
 */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

enum { PUSH, LOAD, STORE, ADD, MUL, LT, JZ, JMP, RET };
struct instruction { int op, arg; };

static long run(const struct instruction *prog, long *locals)
{
    long stack[16];
    int sp = 0, pc = 0;

    for (;;) {
        struct instruction i = prog[pc++];

        switch (i.op) {
        case PUSH: stack[sp++] = i.arg; break;
        case LOAD: stack[sp++] = locals[i.arg]; break;
        case STORE: locals[i.arg] = stack[--sp]; break;
        case ADD: sp--; stack[sp - 1] += stack[sp]; break;
        case MUL: sp--; stack[sp - 1] *= stack[sp]; break;
        case LT: sp--; stack[sp - 1] = stack[sp - 1] < stack[sp]; break;
        case JZ: if (!stack[--sp]) pc = i.arg; break;
        case JMP: pc = i.arg; break;
        case RET: return stack[--sp];
        }
    }
}

/* s = 0; i = 0; while (i < n) { s = s + i * i; i = i + 1; } return s; */
static const struct instruction squares[] = {
    {PUSH, 0}, {STORE, 1}, {PUSH, 0}, {STORE, 2}, {LOAD, 2}, {LOAD, 0}, {LT, 0}, {JZ, 18}, {LOAD, 1}, {LOAD, 2}, {LOAD, 2},
    {MUL, 0}, {ADD, 0}, {STORE, 1}, {LOAD, 2}, {PUSH, 1}, {ADD, 0}, {JMP, 20}, {LOAD, 1}, {RET, 0}, {STORE, 2}, {JMP, 4},
};

int main(void)
{
    long locals[3] = {0, 0, 0};

    locals[0] = (long)(law_input(0, 10) & 1023);
    law_output("squares", run(squares, locals));
    return 0;
}
