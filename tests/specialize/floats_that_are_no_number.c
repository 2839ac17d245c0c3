/* A float whose known bits are no number keeps all that they hold.
 * In the residual: __builtin_nan("0x
 */
#include <stdint.h>

extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

union number {
    double real;
    uint64_t bits;
};

static double boxed(unsigned payload)
{
    union number box;
    box.bits = 0x7ff8000000000000u | payload;
    return box.real;
}

static uint64_t sum(const char *operations, double real)
{
    union number total;
    total.real = boxed(77);
    for (; *operations; operations++)
        if (*operations == '+')
            total.real += real;
        else
            total.bits ^= (uint64_t)1 << 63;
    return total.bits;
}

int main(void)
{
    const long long chosen = law_input(0, 2) & 3;
    const double real = chosen == 0 ? 0.0 : chosen == 1 ? -0.0 : chosen == 2 ? 1.5 : -2.5;
    law_output("sum", (long long)(sum("+-", real) & 0xffff));
    law_output("negated", (long long)(sum("-+", real) & 0xffff));
    return 0;
}
