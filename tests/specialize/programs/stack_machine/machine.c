/* A stack machine for bytecode with checks of its stack, locals, memory and jumps. */
#include "machine.h"
#include <string.h>

void machine_start(struct machine *machine, const struct program *program, const uint32_t *memory, uint32_t memory_size)
{
    memset(machine, 0, sizeof *machine);
    machine->program = program;
    machine->memory = memory;
    machine->memory_size = memory_size;
}

void machine_set_local(struct machine *machine, int local, uint32_t value)
{
    if (local >= 0 && local < LOCALS)
        machine->locals[local] = value;
}

static enum status push(struct machine *machine, uint32_t value)
{
    if (machine->depth == STACK)
        return STACK_OVERFLOW;
    machine->stack[machine->depth++] = value;
    return DONE;
}

static enum status pop(struct machine *machine, uint32_t *value)
{
    if (machine->depth == 0)
        return STACK_UNDERFLOW;
    *value = machine->stack[--machine->depth];
    return DONE;
}

static enum status jump(struct machine *machine, int target)
{
    if (target < 0 || target >= machine->program->length)
        return BAD_JUMP;
    machine->at = target;
    return DONE;
}

static enum status operate(struct machine *machine, enum opcode opcode)
{
    uint32_t left, right;
    enum status status = pop(machine, &right);
    if (status == DONE)
        status = pop(machine, &left);
    if (status != DONE)
        return status;
    switch (opcode) {
    case ADD:
        return push(machine, left + right);
    case SUBTRACT:
        return push(machine, left - right);
    case MULTIPLY:
        return push(machine, left * right);
    case XOR:
        return push(machine, left ^ right);
    case SHIFT_RIGHT:
        return push(machine, left >> (right & 31));
    case LESS:
        return push(machine, left < right);
    case EQUAL:
        return push(machine, left == right);
    default:
        return BAD_OPCODE;
    }
}

static enum status step(struct machine *machine, int *halted)
{
    const int32_t *code = machine->program->code;
    uint32_t value;
    enum status status;
    enum opcode opcode = (enum opcode)code[machine->at++];
    int32_t operand;
    switch (opcode) {
    case PUSH:
        return push(machine, (uint32_t)code[machine->at++]);
    case LOAD:
        operand = code[machine->at++];
        return operand < 0 || operand >= LOCALS ? BAD_LOCAL : push(machine, machine->locals[operand]);
    case STORE:
        operand = code[machine->at++];
        return operand < 0 || operand >= LOCALS ? BAD_LOCAL : pop(machine, &machine->locals[operand]);
    case FETCH:
        status = pop(machine, &value);
        if (status != DONE)
            return status;
        return value >= machine->memory_size ? BAD_ADDRESS : push(machine, machine->memory[value]);
    case JUMP:
        return jump(machine, code[machine->at]);
    case JUMP_IF_ZERO:
        operand = code[machine->at++];
        status = pop(machine, &value);
        if (status == DONE && value == 0)
            status = jump(machine, operand);
        return status;
    case LOOP:
        operand = code[machine->at++];
        if (operand < 0 || operand >= LOCALS)
            return BAD_LOCAL;
        if (--machine->locals[operand] != 0)
            return jump(machine, code[machine->at]);
        machine->at++;
        return DONE;
    case HALT:
        *halted = 1;
        return DONE;
    default:
        return operate(machine, opcode);
    }
}

enum status machine_run(struct machine *machine, uint32_t *result)
{
    int halted = 0;
    while (!halted) {
        const enum status status = step(machine, &halted);
        if (status != DONE)
            return status;
    }
    return pop(machine, result);
}
