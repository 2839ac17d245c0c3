/* A machine whose memory `memset` has made: the members that the guest uses, and those that it does not, are the same in all rounds, so that the program
 * counter and the depth of the stack stay known where the guest's paths join.
 * Not in the residual: switch, code[
 */
#include <string.h>
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

enum { PUSH, LOAD, STORE, FETCH, ADD, XOR, LESS, JUMP, JUMP_IF_ZERO, LOOP, HALT };
struct machine {
    const int *code;
    int at, depth;
    unsigned stack[32], locals[8];
    const unsigned *memory;
    unsigned size;
};

static int push(struct machine *own, unsigned value)
{
    if (own->depth == 32)
        return -1;
    own->stack[own->depth++] = value;
    return 0;
}

static int pop(struct machine *own, unsigned *value)
{
    if (own->depth == 0)
        return -2;
    *value = own->stack[--own->depth];
    return 0;
}

static int operate(struct machine *own, int what)
{
    unsigned left, right;
    if (pop(own, &right) != 0 || pop(own, &left) != 0)
        return -2;
    switch (what) {
    case ADD: return push(own, left + right);
    case XOR: return push(own, left * 33 ^ right);
    case LESS: return push(own, left < right);
    default: return -3;
    }
}

static int step(struct machine *own, int *halted)
{
    const int *const code = own->code;
    unsigned value;
    const int what = code[own->at++];
    int status;
    switch (what) {
    case PUSH: return push(own, (unsigned)code[own->at++]);
    case LOAD: return push(own, own->locals[code[own->at++]]);
    case STORE: return pop(own, &own->locals[code[own->at++]]);
    case FETCH:
        status = pop(own, &value);
        return status != 0 ? status : value >= own->size ? -4 : push(own, own->memory[value]);
    case JUMP: own->at = code[own->at]; return 0;
    case JUMP_IF_ZERO:
        status = pop(own, &value);
        own->at = status == 0 && value == 0 ? code[own->at] : own->at + 1;
        return status;
    case LOOP:
        if (--own->locals[code[own->at++]] != 0)
            own->at = code[own->at];
        else
            own->at++;
        return 0;
    case HALT: *halted = 1; return 0;
    default: return operate(own, what);
    }
}

static int run(struct machine *own, unsigned *result)
{
    for (int halted = 0; !halted; ) {
        const int status = step(own, &halted);
        if (status != 0)
            return status;
    }
    return pop(own, result);
}

static const int code[] = {
    PUSH, 5381, STORE, 1, LOAD, 0, LOAD, 2, LESS, JUMP_IF_ZERO, 28, LOAD, 1, LOAD, 0, FETCH, XOR, STORE, 1,
    LOAD, 0, PUSH, 1, ADD, STORE, 0, JUMP, 4, PUSH, 5, STORE, 2, LOAD, 1, LOAD, 1, XOR, STORE, 1, LOOP, 2, 32, LOAD, 1, HALT};

int main(void)
{
    static unsigned memory[1024];
    struct machine machine;
    unsigned result = 0;
    const unsigned size = (unsigned)law_input(0, 6) & 1023;

    for (int i = 0; i < 6; i++)
        memory[i] = (unsigned)law_input(i + 1, 7 * i);
    memset(&machine, 0, sizeof machine);
    machine.code = code;
    machine.memory = memory;
    machine.size = size;
    machine.locals[2] = size;
    law_output("status", run(&machine, &result));
    law_output("result", result);
    return 0;
}
