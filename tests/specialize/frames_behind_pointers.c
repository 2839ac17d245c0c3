/* A machine that reaches its frames and registers by pointers at unknown depths: they lead into its own arrays, so that what is known
 * of other parts of the machine stays known, and where to go on is one of the few places that were stored.
 * Not in the residual: "never", ->operation
 */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

enum { SET, ADD, ADD_CONSTANT, JUMP_LESS, CALL, RETURN };
struct instruction {
    signed char operation, a, b, c;
    short number;
};
struct frame {
    int place;
    int base;
};
struct machine {
    const struct instruction *program;
    int depth, limit;
    struct frame frames[32];
    long long registers[160];
};

static int enter(struct machine *machine, int where, int base)
{
    if (machine->depth == machine->limit)
        return 1;
    struct frame *frame = &machine->frames[machine->depth++];
    frame->place = where;
    frame->base = base;
    return 0;
}

static int run(struct machine *machine, int argument, long long *result)
{
    int at = 0;
    long long *r = machine->registers;
    if (enter(machine, -1, 0))
        return 1;
    r[0] = argument;
    for (;;) {
        const struct instruction *i = &machine->program[at++];
        switch (i->operation) {
        case SET: r[i->a] = i->number; break;
        case ADD: r[i->a] = r[i->b] + r[i->c]; break;
        case ADD_CONSTANT: r[i->a] = r[i->b] + i->number; break;
        case JUMP_LESS: if (r[i->a] < r[i->b]) at = i->number; break;
        case CALL: {
            struct frame *top = machine->frames + machine->depth - 1;
            int base = top->base + i->a;
            if (enter(machine, at, base))
                return 2;
            r = machine->registers + base;
            at = i->number;
            break;
        }
        case RETURN: {
            struct frame *top = &machine->frames[--machine->depth];
            r[0] = r[i->a];
            at = top->place;
            if (at < 0) {
                *result = r[0];
                return 0;
            }
            top--;
            r = machine->registers + top->base;
            break;
        }
        default: law_output("never", 1); return 3;
        }
    }
}

static const struct instruction program[] = {
    {SET, 1, 0, 0, 2}, {JUMP_LESS, 0, 1, 0, 7}, {ADD_CONSTANT, 2, 0, 0, -1}, {CALL, 2, 0, 0, 0}, {ADD_CONSTANT, 3, 0, 0, -2},
    {CALL, 3, 0, 0, 0}, {ADD, 0, 2, 3, 0}, {RETURN, 0, 0, 0, 0},
};

int main(void)
{
    for (int n = 0; n < 3; n++) {
        struct machine machine = { program, 0, 32, { { 0, 0 } }, { 0 } };
        long long result = 0;
        int error = run(&machine, (int)(law_input(n, 3 + 5 * n) % 40), &result);
        law_output("error", error);
        law_output("result", result);
        law_output("depth", machine.depth);
    }
    return 0;
}
