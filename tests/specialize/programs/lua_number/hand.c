#include <math.h>
#include "number.h"

static int whole(TValue *result, lua_Unsigned number)
{
    setivalue(result, (lua_Integer)number);
    return 1;
}

int scaled(const TValue *value, TValue *result)
{
    if (ttisinteger(value))
        return whole(result, (lua_Unsigned)ivalue(value) * 10);
    if (!ttisfloat(value))
        return 0;
    setfltvalue(result, fltvalue(value) * 10);
    return 1;
}

int shifted(const TValue *value, TValue *result)
{
    if (ttisinteger(value))
        return whole(result, (lua_Unsigned)ivalue(value) << 3);
    if (!ttisfloat(value))
        return 0;
    const lua_Number number = fltvalue(value);
    if (number != floor(number) || !(number >= -0x1p63 && number < 0x1p63))
        return 0;
    return whole(result, (lua_Unsigned)(lua_Integer)number << 3);
}

int halved(const TValue *value, TValue *result)
{
    if (ttisinteger(value))
        return whole(result, (lua_Unsigned)(ivalue(value) >> 1));
    if (!ttisfloat(value))
        return 0;
    setfltvalue(result, floor(fltvalue(value) / 2));
    return 1;
}
