/* Lua's interpreter on a stack of its own, for functions of whole numbers that create nothing. */
#include "lprefix.h"
#include "lstate.h"
#include "lvm.h"
#include "run.h"

lua_Integer run(const struct function *function, const lua_Integer *arguments, int count)
{
    StackValue stack[16];
    CallInfo outside = { 0 }, inside = { 0 };
    lua_State state = { 0 };
    Proto prototype = { 0 };
    LClosure closure = { 0 };

    prototype.code = (Instruction *)function->code;
    prototype.sizecode = function->instructions;
    prototype.k = (TValue *)function->constants;
    prototype.numparams = (lu_byte)count;
    prototype.maxstacksize = (lu_byte)function->registers;
    closure.tt = LUA_VLCL;
    closure.p = &prototype;
    stack[0].val.value_.gc = (GCObject *)&closure;
    stack[0].val.tt_ = ctb(LUA_VLCL);
    for (int i = 0; i < count; i++)
        setivalue(s2v(stack + 1 + i), arguments[i]);
    inside.func = stack;
    inside.top = stack + 1 + function->registers;
    inside.previous = &outside;
    inside.nresults = 1;
    inside.callstatus = CIST_FRESH;
    inside.u.l.savedpc = function->code;
    state.ci = &inside;
    state.stack = stack;
    state.stack_last = stack + 16;
    state.top = inside.top;
    luaV_execute(&state, &inside);
    return ivalue(s2v(stack));
}
