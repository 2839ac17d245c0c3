/* Ackermann's function for a known first argument: a function for each value that it takes on the way.
 * Not in the residual: unsigned int m
 */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

static unsigned ack(unsigned m, unsigned n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ack(m - 1, 1);
    return ack(m - 1, ack(m, n - 1));
}

int main(void)
{
    law_output("ack", ack(2, (unsigned)law_input(0, 3) & 7));
    return 0;
}
