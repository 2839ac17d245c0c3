#include <whittle/specialize.h>
#include "machine.h"

struct result { enum vm_err err; size_t outs; uint32_t fuel; uint16_t pc; int32_t mem0, mem5; };

#define W(x) (uint8_t)((x) & 255), (uint8_t)((x) >> 8)
/* sum of input, count in mem[0]; then histogram modulo 8 in mem[8..15]; prints sum and histogram */
static const uint8_t stats[] = {
    /* 0 */ OP_IN, OP_STORE, 0,            /* n */
    /* 3 */ OP_LOAD, 0, OP_JZ, W(37),
    /* 8 */ OP_IN, OP_DUP, OP_LOAD, 1, OP_ADD, OP_STORE, 1,
    /* 15 */ OP_PUSH8, 7, OP_AND, OP_PUSH8, 8, OP_ADD, OP_DUP, OP_LOADX, OP_PUSH8, 1, OP_ADD,
    /* 26 */ OP_SWAP, OP_STOREX, OP_LOAD, 0, OP_PUSH8, 1, OP_SUB, OP_STORE, 0,
    /* 35 -> */ OP_JMP, W(3),
    /* 38 */ OP_HALT
};
static void assemble(uint8_t *p, uint16_t *n)
{
    uint16_t at = 0;
#define B(x) (p[at++] = (uint8_t)(x))
    B(OP_IN); B(OP_STORE); B(2); B(OP_PUSH8); B(4); B(OP_STORE); B(5);
    uint16_t top = at;
    B(OP_CALL); uint16_t fix = at; at += 2;
    B(OP_DJNZ); B(5); B(top); B(top >> 8);
    B(OP_LOAD); B(2); B(OP_OUT); B(OP_HALT);
    p[fix] = (uint8_t)at; p[fix + 1] = (uint8_t)(at >> 8);
    B(OP_LOAD); B(2); B(OP_DUP); B(OP_PUSH8); B(13); B(OP_SHL); B(OP_XOR); B(OP_DUP); B(OP_PUSH8); B(17); B(OP_SHR); B(OP_XOR);
    B(OP_DUP); B(OP_PUSH8); B(5); B(OP_SHL); B(OP_XOR); B(OP_PUSH32); B(0xb9); B(0x79); B(0x37); B(0x9e); B(OP_MUL); B(OP_STORE); B(2); B(OP_RET);
    *n = at;
}
static void finish(const struct vm *vm, enum vm_err e, struct result *r)
{
    *r = (struct result){ e, vm->out_len, vm->fuel, vm->pc, vm->mem[0], vm->mem[5] };
}
static const uint8_t *fixed_stats(uint8_t *p)
{
    for (unsigned i = 0; i < sizeof stats; i++)
        p[i] = stats[i];
    p[6] = 38;
    p[38] = OP_LOAD; p[39] = 1; p[40] = OP_OUT; p[41] = OP_PUSH8; p[42] = 8; p[43] = OP_STORE; p[44] = 3;
    p[45] = OP_LOAD; p[46] = 3; p[47] = OP_LOADX; p[48] = OP_OUT; p[49] = OP_INC; p[50] = 3; p[51] = OP_LOAD; p[52] = 3; p[53] = OP_PUSH8; p[54] = 16;
    p[55] = OP_LT; p[56] = OP_JZ; p[57] = 62; p[58] = 0; p[59] = OP_JMP; p[60] = 45; p[61] = 0; p[62] = OP_HALT;
    return p;
}
WHITTLE_SPECIALIZE void run_stats(const int32_t *in, size_t n, int32_t *out, size_t cap, struct result *r)
{
    struct vm vm;
    uint8_t code[64];
    vm_reset(&vm, fixed_stats(code), 63);
    vm.in = in; vm.in_left = n; vm.out = out; vm.out_cap = cap;
    finish(&vm, vm_run(&vm), r);
}
WHITTLE_SPECIALIZE void run_mix(const int32_t *in, size_t n, int32_t *out, size_t cap, struct result *r)
{
    struct vm vm;
    uint8_t code[64];
    uint16_t len;
    assemble(code, &len);
    vm_reset(&vm, code, len);
    vm.in = in; vm.in_left = n; vm.out = out; vm.out_cap = cap;
    finish(&vm, vm_run(&vm), r);
}
/* a program that faults in the end */
WHITTLE_SPECIALIZE enum vm_err run_bad(int32_t seed, uint32_t fuel, struct result *r)
{
    struct vm vm;
    int32_t o[2] = { 0, 0 };
    static const uint8_t bad[] = { OP_IN, OP_DUP, OP_PUSH8, 0, OP_LT, OP_JZ, W(12), OP_PUSH8, 0, OP_DIV, OP_HALT, OP_OUT, OP_JMP, W(3) };
    vm_reset(&vm, bad, sizeof bad);
    vm.in = &seed; vm.in_left = 1; vm.out = o; vm.out_cap = 2;
    vm.fuel = fuel;
    enum vm_err e = vm_run(&vm);
    finish(&vm, e, r);
    r->mem0 = o[0];
    return e;
}
