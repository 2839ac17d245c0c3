#include <whittle/specialize.h>
#include "vm.h"

static const struct instruction code[] = {
    /* 0 */ { OP_SET, 1, 0, 0, 2 },
    /* 1 */ { OP_JUMP_LESS, 0, 1, 0, 7 },
    /* 2 */ { OP_ADD_CONSTANT, 2, 0, 0, -1 },
    /* 3 */ { OP_CALL, 2, 0, 0, 0 },
    /* 4 */ { OP_ADD_CONSTANT, 3, 0, 0, -2 },
    /* 5 */ { OP_CALL, 3, 0, 0, 0 },
    /* 6 */ { OP_ADD, 0, 2, 3, 0 },
    /* 7 */ { OP_RETURN, 0, 0, 0, 0 },
};

WHITTLE_SPECIALIZE
int64_t fibonacci(int64_t n)
{
    struct vm vm;
    int64_t result;
    vm_open(&vm, code);
    return vm_call(&vm, 0, n, &result) == VM_OK ? result : -1;
}
