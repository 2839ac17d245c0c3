/* A float that a test found to be zero keeps its sign: it may be the negative zero. */
#include <stdint.h>
#include <string.h>

extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

static long long bits_of(double real)
{
    int64_t bits;
    memcpy(&bits, &real, sizeof bits);
    return bits;
}

static double other_unless_zero(double a, double b)
{
    return a ? b : a;
}

static float first_unless_zero(float a, float b)
{
    if (!a)
        return a;
    return b;
}

static double compared(double a)
{
    if (a == 0.0)
        return a;
    if (a == 1.5)
        return a + 1;
    return 0.0 != a ? -a : a;
}

static double switched(double a, double *kept)
{
    int is_zero = a == 0;
    *kept = a;
    if (is_zero)
        return *kept;
    return 1 / *kept;
}

static double looped(double a, int rounds)
{
    double sum = 1;
    while (a != 0 && rounds-- > 0) {
        sum += a;
        a = a - a;
    }
    return a == 0 ? a * sum : sum;
}

int main(void)
{
    const long long chosen = law_input(0, 1) & 3;
    const double real = chosen == 0 ? 0.0 : chosen == 1 ? -0.0 : chosen == 2 ? 1.5 : -2.5;
    double kept;
    law_output("double", bits_of(other_unless_zero(real, 3.0)));
    law_output("float", bits_of(first_unless_zero((float)real, 3.0f)));
    law_output("compared", bits_of(compared(real)));
    law_output("switched", bits_of(switched(real, &kept)));
    law_output("looped", bits_of(looped(real, 2)));
    law_output("kept", bits_of(kept));
    return 0;
}
