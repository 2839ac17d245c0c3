#include "vm.h"

static int64_t value(int64_t n)
{
    return n < 2 ? n : value(n - 1) + value(n - 2);
}

int64_t fibonacci(int64_t n)
{
    /* A call more than the machine has frames for: it gives up. */
    return n > VM_CALLS ? -1 : value(n);
}
