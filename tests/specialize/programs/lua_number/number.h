#include "lobject.h"
/* `op` of Lua on a number and a constant, as its compiler and the C API do it; 0 if it is left to run time. */
int scaled(const TValue *value, TValue *result);        /* value * 10 */
int shifted(const TValue *value, TValue *result);       /* value << 3 */
int halved(const TValue *value, TValue *result);        /* value // 2 */
