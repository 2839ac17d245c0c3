#include <whittle/specialize.h>
#include "bf.h"

/* Reads lower case letters up to the end, writes them in upper case, and behind them the sum of all bytes, twice. */
static const char program[] = ",[ >++++[<-------->-]< . [->>+<<] , ] >>[->++<] >.";

WHITTLE_SPECIALIZE
long shout(const unsigned char *text, size_t length, unsigned char *result, size_t room)
{
    struct bf_input input = { text, text + length };
    struct bf_output output = { result, result + room };
    return bf_run(program, &input, &output) == 0 ? output.at - result : -1;
}
