/* A register machine: each call gets a window of registers, and a frame that says where to return. */
#include "vm.h"

void vm_open(struct vm *vm, const struct instruction *code)
{
    vm->code = code;
    vm->depth = 0;
}

static enum vm_error enter(struct vm *vm, int return_to, int base)
{
    if (vm->depth == VM_CALLS || base > VM_REGISTERS - 16)
        return VM_TOO_DEEP;
    vm->frames[vm->depth].return_to = return_to;
    vm->frames[vm->depth].base = base;
    vm->depth++;
    return VM_OK;
}

enum vm_error vm_call(struct vm *vm, int entry, int64_t argument, int64_t *result)
{
    int at = entry;
    int64_t *r = vm->registers;
    enum vm_error error = enter(vm, -1, 0);
    if (error != VM_OK)
        return error;
    r[0] = argument;
    for (;;) {
        const struct instruction *i = &vm->code[at++];
        switch (i->operation) {
        case OP_SET:
            r[i->a] = i->immediate;
            break;
        case OP_MOVE:
            r[i->a] = r[i->b];
            break;
        case OP_ADD:
            r[i->a] = r[i->b] + r[i->c];
            break;
        case OP_ADD_CONSTANT:
            r[i->a] = r[i->b] + i->immediate;
            break;
        case OP_MULTIPLY:
            r[i->a] = r[i->b] * r[i->c];
            break;
        case OP_JUMP:
            at = i->immediate;
            break;
        case OP_JUMP_LESS:
            if (r[i->a] < r[i->b])
                at = i->immediate;
            break;
        case OP_CALL: {
            const int base = vm->frames[vm->depth - 1].base + i->a;
            error = enter(vm, at, base);
            if (error != VM_OK)
                return error;
            r = vm->registers + base;
            at = i->immediate;
            break;
        }
        case OP_RETURN:
            r[0] = r[i->a];
            at = vm->frames[--vm->depth].return_to;
            if (at < 0) {
                *result = r[0];
                return VM_OK;
            }
            r = vm->registers + vm->frames[vm->depth - 1].base;
            break;
        default:
            return VM_BAD_INSTRUCTION;
        }
    }
}
