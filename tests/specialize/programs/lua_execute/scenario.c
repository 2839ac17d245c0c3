#include <whittle/specialize.h>
#include "run.h"

/* Lua asks a volatile flag before each call whether a hook is set; -Dvolatile= says that none ever is. */
#include "functions.h"

WHITTLE_SPECIALIZE
lua_Integer sum_of_remainders(lua_Integer n)
{
    return run(&sum, &n, 1);
}

WHITTLE_SPECIALIZE
lua_Integer greatest_divisor(lua_Integer a, lua_Integer b)
{
    const lua_Integer both[] = { a, b };
    return run(&divisor, both, 2);
}
