#include <whittle/specialize.h>
#include "machine.h"

enum { I, HASH, ROUNDS };

/* A hash of all words of the memory, then sixteen rounds that mix it. */
static const int32_t code[] = {
    /* 0 */ PUSH, 5381, STORE, HASH,
    /* 4 */ LOAD, I, LOAD, ROUNDS, LESS, JUMP_IF_ZERO, 31,
    /* 11 */ LOAD, HASH, PUSH, 33, MULTIPLY, LOAD, I, FETCH, XOR, STORE, HASH,
    /* 22 */ LOAD, I, PUSH, 1, ADD, STORE, I,
    /* 29 */ JUMP, 4,
    /* 31 */ PUSH, 16, STORE, ROUNDS,
    /* 35 */ LOAD, HASH, LOAD, HASH, PUSH, 15, SHIFT_RIGHT, XOR, PUSH, 0x2c1b3c6d, MULTIPLY, STORE, HASH,
    /* 48 */ LOOP, ROUNDS, 35,
    /* 51 */ LOAD, HASH, HALT,
};
static const struct program program = { code, sizeof code / sizeof *code };

WHITTLE_SPECIALIZE
int hash_words(const uint32_t *words, uint32_t count, uint32_t *result)
{
    struct machine machine;
    machine_start(&machine, &program, words, count);
    machine_set_local(&machine, ROUNDS, count);
    return machine_run(&machine, result);
}
