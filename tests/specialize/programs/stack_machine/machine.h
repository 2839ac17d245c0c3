#include <stdint.h>

enum opcode {
    PUSH, /* number */
    LOAD, STORE, /* local */
    FETCH, /* word of the memory at the address on top */
    ADD, SUBTRACT, MULTIPLY, XOR, SHIFT_RIGHT,
    LESS, EQUAL,
    JUMP, JUMP_IF_ZERO, /* target */
    LOOP, /* local, target: counts down and jumps unless zero */
    HALT
};

enum { STACK = 32, LOCALS = 8 };

enum status { DONE, STACK_OVERFLOW, STACK_UNDERFLOW, BAD_ADDRESS, BAD_LOCAL, BAD_OPCODE, BAD_JUMP };

struct program {
    const int32_t *code;
    int length;
};

struct machine {
    const struct program *program;
    int at;
    int depth;
    uint32_t stack[STACK];
    uint32_t locals[LOCALS];
    const uint32_t *memory;
    uint32_t memory_size;
};

void machine_start(struct machine *machine, const struct program *program, const uint32_t *memory, uint32_t memory_size);
void machine_set_local(struct machine *machine, int local, uint32_t value);
enum status machine_run(struct machine *machine, uint32_t *result);

int hash_words(const uint32_t *words, uint32_t count, uint32_t *result);
