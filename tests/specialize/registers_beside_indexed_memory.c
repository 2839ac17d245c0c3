/* An interpreter whose registers lie beside memory that the guest writes at places of run time: the program counter stays known.
 * Not in the residual: switch, code[
 */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct machine {
    long stack[8];
    long mem[16];
    int pc, sp;
};

static long run(const char *code, struct machine *m)
{
    for (;;) {
        switch (code[m->pc++]) {
        case 'p': m->stack[m->sp++] = code[m->pc++]; break;
        case 'l': m->stack[m->sp - 1] = m->mem[m->stack[m->sp - 1] & 15]; break;
        case 's':
            m->sp -= 2;
            m->mem[m->stack[m->sp] & 15] = m->stack[m->sp + 1];
            break;
        case '+':
            m->sp--;
            m->stack[m->sp - 1] += m->stack[m->sp];
            break;
        case '-':
            m->sp--;
            m->stack[m->sp - 1] -= m->stack[m->sp];
            break;
        case 'j': m->pc = m->stack[--m->sp] ? code[m->pc] : m->pc + 1; break;
        case 'r': return m->stack[m->sp - 1];
        }
    }
}

/* do { mem[mem[0]] = mem[0] + 5; mem[0] = mem[0] - 1; } while (mem[0]); return mem[3]; */
static const char program[] = "p\0l" "p\0lp\5+" "s" "p\0" "p\0lp\1-" "s" "p\0lj\0" "p\3lr";

int main(void)
{
    struct machine m = {{0}, {0}, 0, 0};

    m.mem[0] = (law_input(0, 5) & 7) + 1;
    law_output("found", run(program, &m));
    law_output("last", m.mem[1]);
    return 0;
}
