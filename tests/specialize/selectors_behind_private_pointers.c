/* An interpreter whose registers, program counter and stack lie behind a pointer of the caller's: what selects the next instruction and the
 * element of the stack is kept apart at the head of its loop; what is merely counted is not.
 * Not in the residual: "switch", "program"
 */
#include <whittle/specialize.h>
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

enum { PUSH, LOAD, STORE, ADD, SUBTRACT, JUMP, JUMP_IF, CALL, RETURN, END };
struct cpu {
    int at, depth, frames;
    long steps;
    int stack[16], returns[8], variables[4];
};

static const signed char program[] = {
    PUSH, 0, STORE, 1, LOAD, 0, JUMP_IF, 9, END, CALL, 13, JUMP, 4,
    LOAD, 1, LOAD, 0, ADD, STORE, 1, LOAD, 0, PUSH, 1, SUBTRACT, STORE, 0, RETURN,
};

static int fetch(struct cpu *cpu)
{
    return program[cpu->at++];
}

static void push(struct cpu *cpu, int value)
{
    cpu->stack[cpu->depth++] = value;
}

static int pop(struct cpu *cpu)
{
    return cpu->stack[--cpu->depth];
}

static int step(struct cpu *cpu)
{
    int value;

    cpu->steps++;
    switch (fetch(cpu)) {
    case PUSH: push(cpu, fetch(cpu)); break;
    case LOAD: push(cpu, cpu->variables[fetch(cpu)]); break;
    case STORE: cpu->variables[fetch(cpu)] = pop(cpu); break;
    case ADD: value = pop(cpu); push(cpu, pop(cpu) + value); break;
    case SUBTRACT: value = pop(cpu); push(cpu, pop(cpu) - value); break;
    case JUMP: cpu->at = program[cpu->at]; break;
    case JUMP_IF: value = fetch(cpu); if (pop(cpu)) cpu->at = value; break;
    case CALL: value = fetch(cpu); cpu->returns[cpu->frames++] = cpu->at; cpu->at = value; break;
    case RETURN: cpu->at = cpu->returns[--cpu->frames]; break;
    default: return 0;
    }
    return 1;
}

static struct cpu cpus[2];

int main(void)
{
    struct cpu *cpu = &cpus[law_input(0, 0) & 1];

    WHITTLE_PRIVATE(cpu);
    cpu->at = cpu->depth = cpu->frames = 0;
    cpu->variables[0] = (int)(law_input(1, 10) & 31);
    while (step(cpu))
        ;
    law_output("sum", cpu->variables[1]);
    law_output("steps", cpu->steps);
    law_output("at", cpu->at);
    return 0;
}
