#include "machine.h"
#include <string.h>

unsigned vm_faults[8];

#define FAULT(e) do { err = (e); goto fault; } while (0)
#define NEED(n)  do { if (vm->sp < (n)) FAULT(VM_STACK); } while (0)
#define ROOM(n)  do { if (vm->sp + (n) > (int)(sizeof vm->stack / sizeof vm->stack[0])) FAULT(VM_STACK); } while (0)
#define TOP(i)   (vm->stack[vm->sp - 1 - (i)])
#define FETCH()  ({ if (vm->pc >= vm->code_len) FAULT(VM_PC); vm->code[vm->pc++]; })
#define FETCH16() ({ uint16_t lo_ = FETCH(); uint16_t hi_ = FETCH(); (uint16_t)(lo_ | hi_ << 8); })

void vm_reset(struct vm *vm, const uint8_t *code, uint16_t len)
{
    memset(vm, 0, sizeof *vm);
    vm->code = code;
    vm->code_len = len;
    vm->fuel = 100000;
}

static int32_t wrap_add(int32_t a, int32_t b) { return (int32_t)((uint32_t)a + (uint32_t)b); }

enum vm_err vm_run(struct vm *vm)
{
    enum vm_err err = VM_OK;
    for (;;) {
        if (vm->fuel == 0)
            FAULT(VM_FUEL);
        vm->fuel--;
        uint8_t op = FETCH();
        switch (op) {
        case OP_HALT:
            return VM_OK;
        case OP_PUSH8: {
            int8_t v = (int8_t)FETCH();
            ROOM(1);
            vm->stack[vm->sp++] = v;
            break;
        }
        case OP_PUSH32: {
            uint32_t v = 0;
            for (int i = 0; i < 4; i++)
                v |= (uint32_t)FETCH() << (8 * i);
            ROOM(1);
            vm->stack[vm->sp++] = (int32_t)v;
            break;
        }
        case OP_LOAD: case OP_STORE: {
            uint8_t a = FETCH();
            if (a >= 32)
                FAULT(VM_MEM);
            if (op == OP_LOAD) {
                ROOM(1);
                vm->stack[vm->sp++] = vm->mem[a];
            } else {
                NEED(1);
                vm->mem[a] = vm->stack[--vm->sp];
            }
            break;
        }
        case OP_LOADX: {
            NEED(1);
            uint32_t a = (uint32_t)TOP(0);
            if (a >= 32)
                FAULT(VM_MEM);
            TOP(0) = vm->mem[a];
            break;
        }
        case OP_STOREX: {
            NEED(2);
            uint32_t a = (uint32_t)TOP(0);
            if (a >= 32)
                FAULT(VM_MEM);
            vm->mem[a] = TOP(1);
            vm->sp -= 2;
            break;
        }
        case OP_ADD: case OP_SUB: case OP_MUL: case OP_DIV: case OP_AND: case OP_XOR: case OP_SHL: case OP_SHR: case OP_LT: case OP_EQ: {
            NEED(2);
            int32_t b = vm->stack[--vm->sp];
            int32_t *a = &vm->stack[vm->sp - 1];
            switch (op) {
            case OP_ADD: *a = wrap_add(*a, b); break;
            case OP_SUB: *a = wrap_add(*a, (int32_t)(0u - (uint32_t)b)); break;
            case OP_MUL: *a = (int32_t)((uint32_t)*a * (uint32_t)b); break;
            case OP_DIV:
                if (b == 0 || (b == -1 && *a == INT32_MIN))
                    FAULT(VM_DIV);
                *a /= b;
                break;
            case OP_AND: *a &= b; break;
            case OP_XOR: *a ^= b; break;
            case OP_SHL: *a = (int32_t)((uint32_t)*a << (b & 31)); break;
            case OP_SHR: *a = (int32_t)((uint32_t)*a >> (b & 31)); break;
            case OP_LT: *a = *a < b; break;
            case OP_EQ: *a = *a == b; break;
            }
            break;
        }
        case OP_JMP:
            vm->pc = FETCH16();
            break;
        case OP_JZ: {
            uint16_t t = FETCH16();
            NEED(1);
            if (!vm->stack[--vm->sp])
                vm->pc = t;
            break;
        }
        case OP_DJNZ: {
            uint8_t a = FETCH();
            uint16_t t = FETCH16();
            if (a >= 32)
                FAULT(VM_MEM);
            if (--vm->mem[a] != 0)
                vm->pc = t;
            break;
        }
        case OP_DUP:
            NEED(1); ROOM(1);
            vm->stack[vm->sp] = TOP(0), vm->sp++;
            break;
        case OP_SWAP: {
            NEED(2);
            int32_t t = TOP(0);
            TOP(0) = TOP(1);
            TOP(1) = t;
            break;
        }
        case OP_DROP:
            NEED(1);
            vm->sp--;
            break;
        case OP_CALL: {
            uint16_t t = FETCH16();
            if (vm->rsp == 8)
                FAULT(VM_STACK);
            vm->rstack[vm->rsp++] = vm->pc;
            vm->pc = t;
            break;
        }
        case OP_RET:
            if (vm->rsp == 0)
                FAULT(VM_STACK);
            vm->pc = vm->rstack[--vm->rsp];
            break;
        case OP_IN:
            ROOM(1);
            if (vm->in_left == 0)
                FAULT(VM_IO);
            vm->stack[vm->sp++] = *vm->in++;
            vm->in_left--;
            break;
        case OP_OUT:
            NEED(1);
            if (vm->out_len == vm->out_cap)
                FAULT(VM_IO);
            vm->out[vm->out_len++] = vm->stack[--vm->sp];
            break;
        case OP_INC: {
            uint8_t a = FETCH();
            if (a >= 32)
                FAULT(VM_MEM);
            vm->mem[a] = wrap_add(vm->mem[a], 1);
            break;
        }
        default:
            FAULT(VM_OPCODE);
        }
    }
fault:
    vm_faults[err]++;
    return err;
}
