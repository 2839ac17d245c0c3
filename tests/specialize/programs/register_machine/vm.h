#include <stdint.h>

enum operation {
    OP_SET, /* a = immediate */
    OP_MOVE, /* a = b */
    OP_ADD, /* a = b + c */
    OP_ADD_CONSTANT, /* a = b + immediate */
    OP_MULTIPLY, /* a = b * c */
    OP_JUMP, /* to immediate */
    OP_JUMP_LESS, /* to immediate if a < b */
    OP_CALL, /* immediate; the registers of the called function begin at this one's register a */
    OP_RETURN /* value of a, which the caller finds in its own register a of the call */
};

struct instruction {
    uint8_t operation, a, b, c;
    int32_t immediate;
};

enum { VM_REGISTERS = 256, VM_CALLS = 32 };

enum vm_error { VM_OK, VM_TOO_DEEP, VM_BAD_INSTRUCTION };

struct frame {
    int return_to;
    int base;
};

struct vm {
    const struct instruction *code;
    int64_t registers[VM_REGISTERS];
    struct frame frames[VM_CALLS];
    int depth;
};

void vm_open(struct vm *vm, const struct instruction *code);
enum vm_error vm_call(struct vm *vm, int entry, int64_t argument, int64_t *result);

int64_t fibonacci(int64_t n);
