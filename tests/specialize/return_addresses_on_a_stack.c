/* A guest that calls itself keeps where to go on in frames at unknown depths: each of them is one of the few that were stored, and
 * the interpreter is gone.
 * Not in the residual: "never", ->operation
 */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

enum { PUSH, ADD, SUB, LESS, JUMP_ZERO, CALL, RETURN, DUP, SWAP };
struct instruction {
    int operation, argument;
};
struct frame {
    short mark;
    int next;
};

static long long run(const struct instruction *code, long long n, int *error)
{
    long long data[64];
    struct frame frames[24];
    int top = 0, depth = 0, next = 0;
    data[top++] = n;
    frames[depth].mark = 7;
    frames[depth++].next = -1;
    for (;;) {
        const struct instruction *i = &code[next++];
        switch (i->operation) {
        case PUSH: data[top++] = i->argument; break;
        case ADD: top--; data[top - 1] += data[top]; break;
        case SUB: top--; data[top - 1] -= data[top]; break;
        case LESS: top--; data[top - 1] = data[top - 1] < data[top]; break;
        case JUMP_ZERO: if (!data[--top]) next = i->argument; break;
        case CALL:
            if (depth >= 24) { *error = 1; return -1; }
            frames[depth].mark = (short)data[top - 1];
            frames[depth++].next = next;
            next = i->argument;
            break;
        case RETURN:
            next = frames[--depth].next;
            *error += frames[depth].mark == 2 ? 10 : 0;
            if (next < 0)
                return data[top - 1];
            break;
        case DUP: data[top] = data[top - 1]; top++; break;
        case SWAP: { long long t = data[top - 1]; data[top - 1] = data[top - 2]; data[top - 2] = t; break; }
        default: law_output("never", 1); return 0;
        }
    }
}

static const struct instruction code[] = {
    {DUP, 0}, {PUSH, 2}, {LESS, 0}, {JUMP_ZERO, 5}, {RETURN, 0}, {DUP, 0}, {PUSH, 1}, {SUB, 0}, {CALL, 0}, {SWAP, 0},
    {PUSH, 2}, {SUB, 0}, {CALL, 0}, {ADD, 0}, {RETURN, 0},
};

int main(void)
{
    int error = 0;
    law_output("fibonacci", run(code, law_input(0, 9) % 30, &error));
    law_output("error", error);
    return 0;
}
