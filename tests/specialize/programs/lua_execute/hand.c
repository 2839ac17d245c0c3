#include "run.h"

/* Lua's remainder has the sign of the divisor. */
static lua_Integer remainder_of(lua_Integer a, lua_Integer b)
{
    if (b == -1)
        return 0;
    const lua_Integer rest = a % b;
    return rest != 0 && (rest ^ b) < 0 ? rest + b : rest;
}

lua_Integer sum_of_remainders(lua_Integer n)
{
    lua_Unsigned sum = 0;
    for (lua_Unsigned i = 1; n > 0 && i <= (lua_Unsigned)n; i++)
        sum += (lua_Unsigned)remainder_of((lua_Integer)(i * i), 7);
    return (lua_Integer)sum;
}

lua_Integer greatest_divisor(lua_Integer a, lua_Integer b)
{
    while (b != 0) {
        const lua_Integer rest = remainder_of(a, b);
        a = b;
        b = rest;
    }
    return a;
}
