/* Volatile bit-fields are read and written as the bit-fields they are, even where all else is known. */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct flags {
    volatile unsigned low : 5;
    volatile int high : 9;
    unsigned rest : 18;
};

static struct flags flags = {3, -2, 77};

int main(void)
{
    flags.low = (unsigned)law_input(0, 21);
    flags.rest += 5;
    law_output("low", flags.low);
    law_output("high", flags.high);
    flags.high = 100;
    law_output("high", flags.high + flags.low);
    law_output("rest", flags.rest);
    return 0;
}
