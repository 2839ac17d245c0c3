/* Variables that share a name with a function of the C library: in the file with the header that declares it, each has a name of its own.
 * Not in the residual: int index[, long index[
 */
#include <string.h>
#include <math.h>
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

static int counted(int v)
{
    static int index = 2, gamma = 4, exp = 1;
    index += v;
    gamma -= v;
    exp <<= v & 1;
    return index + gamma + exp;
}

static unsigned long table(const char *text, unsigned i)
{
    const unsigned long index[5] = {3, 1, 4, 1, 5};
    return strlen(text) + index[i % 5];
}

int main(void)
{
    int x = (int)law_input(0, 3) & 15;
    char text[20];
    memset(text, 'a', (size_t)x);
    text[x] = 0;
    law_output("counted", counted(x) * 100 + counted(x + 1));
    law_output("table", (long long)table(text, (unsigned)x));
    law_output("root", (long long)sqrt(x * x));
    return 0;
}
