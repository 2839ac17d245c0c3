#include <whittle/specialize.h>
#include "number.h"

static int fold(int op, const TValue *value, lua_Integer constant, TValue *result)
{
    TValue operand;
    setivalue(&operand, constant);
    return luaO_rawarith(NULL, op, value, &operand, result);
}

WHITTLE_SPECIALIZE
int scaled(const TValue *value, TValue *result)
{
    return fold(LUA_OPMUL, value, 10, result);
}

WHITTLE_SPECIALIZE
int shifted(const TValue *value, TValue *result)
{
    return fold(LUA_OPSHL, value, 3, result);
}

WHITTLE_SPECIALIZE
int halved(const TValue *value, TValue *result)
{
    return fold(LUA_OPIDIV, value, 2, result);
}
