#include "lobject.h"
#include "lopcodes.h"
/* A function of Lua as its compiler made it: of numbers, without upvalues. */
struct function {
    const Instruction *code;
    int instructions;
    const TValue *constants;
    int registers;
};
lua_Integer run(const struct function *function, const lua_Integer *arguments, int count);
lua_Integer sum_of_remainders(lua_Integer n);
lua_Integer greatest_divisor(lua_Integer a, lua_Integer b);
