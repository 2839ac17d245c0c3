/* Numbers that are made of the ways through a loop, with each round another one for each way: they are given up before they are copied.
 * Lines of the residual: at most 400
 */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

static unsigned reflect(unsigned value, int bits)
{
    unsigned result = 0;
    for (int i = 0; i < bits; i++)
        if (value >> i & 1)
            result |= 1u << (bits - 1 - i);
    return result;
}

static struct { int x, y; } place;

static unsigned mix(int i, int b, int rounds)
{
    unsigned sum = 0;
    for (int n = 0; n < rounds; n++) {
        if (i > 10) {
            sum = sum * 31u + 580;
            i = place.x;
        }
        if (place.y == b)
            sum = sum * 31u + 678;
        sum = sum * 31u + 60;
    }
    return sum;
}

int main(void)
{
    for (int i = 0; i < 2; i++) {
        place.x = (int)law_input(i, 12);
        place.y = (int)law_input(i + 10, 3);
        law_output("reflected", reflect((unsigned)law_input(i + 20, 0x1234567), 32) & 0xff0ff0);
        law_output("mixed", mix((int)law_input(i + 30, 20), (int)law_input(i + 40, 3), 8) > 1000);
    }
    return 0;
}
