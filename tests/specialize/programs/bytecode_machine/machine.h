#pragma once
#include <stdint.h>
#include <stddef.h>
enum { OP_HALT, OP_PUSH8, OP_PUSH32, OP_LOAD, OP_STORE, OP_LOADX, OP_STOREX, OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_AND, OP_XOR, OP_SHL,
       OP_SHR, OP_LT, OP_EQ, OP_JMP, OP_JZ, OP_DUP, OP_SWAP, OP_DROP, OP_CALL, OP_RET, OP_IN, OP_OUT, OP_INC, OP_DJNZ };
enum vm_err { VM_OK, VM_STACK, VM_PC, VM_MEM, VM_DIV, VM_OPCODE, VM_FUEL, VM_IO };
struct vm {
    const uint8_t *code; uint16_t code_len; uint16_t pc;
    int32_t stack[16]; uint8_t sp;
    uint16_t rstack[8]; uint8_t rsp;
    int32_t mem[32];
    uint32_t fuel;
    const int32_t *in; size_t in_left;
    int32_t *out; size_t out_cap, out_len;
};
enum vm_err vm_run(struct vm *vm);
void vm_reset(struct vm *vm, const uint8_t *code, uint16_t len);
extern unsigned vm_faults[8];
