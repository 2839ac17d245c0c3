/* Loops of more rounds than are unrolled, that count other things along with their rounds and test them: tests that hold in
 * every round, in every round but the last, in none; numbers that wrap; steps that pass a number by. */
#include <limits.h>

extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

enum { ROUNDS = 6000 };

static unsigned sum, data;

static void take(unsigned number)
{
    sum = sum * 31 + (number ^ data);
}

static void show(const char *name, long long left)
{
    law_output(name, left);
    law_output("sum", sum);
    sum = 0;
}

/* As a stream that has so much room. */
static void room(const char *name, unsigned left)
{
    int i;
    for (i = 0; i < ROUNDS; i++) {
        if (left < 4)
            break;
        left = (unsigned)((unsigned long)left - 4);
        take((unsigned)i);
    }
    show(name, left);
    law_output("rounds", i);
}

static void wrapping(void)
{
    unsigned down = 50, high = 0;
    unsigned short narrow = 65000;
    for (int i = 0; i < ROUNDS; i++) {
        if (down > UINT_MAX - ROUNDS)
            high++;
        down--;
        if (narrow < 65000)
            high += 2;
        narrow++;
        take(high);
    }
    show("wrapping", (long long)down + narrow);
}

static void passing_by(void)
{
    int met = 0, three = 1;
    long far = -5;
    for (int i = 0; i != 3 * ROUNDS; i += 3) {
        if (three == 3000)
            met++;
        if (three == 3001)
            met += 2;
        if (far == 10L * ROUNDS)
            met += 4;
        far += 10;
        three += 3;
        take((unsigned)met);
    }
    show("passing by", met + three + far);
}

static void at_the_end(void)
{
    unsigned i = 0;
    int left = ROUNDS, late = 0;
    do {
        left--;
        if (left < 0)
            late++;
        if (left == 0)
            late += 2;
        take((unsigned)late);
    } while (++i < ROUNDS);
    show("at the end", late + left);
}

static void downward(void)
{
    int left = 100;
    long up = LONG_MAX - ROUNDS;
    for (int i = ROUNDS; i > 0; i--) {
        if (left < -ROUNDS)
            return;
        if (up == LONG_MAX)
            return;
        left--;
        up++;
        take((unsigned)left);
    }
    show("downward", left);
    law_output("up", up == LONG_MAX);
}

static void within(int often)
{
    int left = 2 * ROUNDS, kept = 0;
    for (int i = 0; i < ROUNDS; i++) {
        for (int j = 0; j < often; j++)
            if (left < ROUNDS)
                kept++;
        left--;
        if (i & 1)
            left--;
        take((unsigned)kept);
    }
    show("within", left);
}

int main(void)
{
    data = (unsigned)law_input(0, 12345);
    room("more than enough", 4 * ROUNDS + 40);
    room("enough", 4 * ROUNDS);
    room("a byte short", 4 * ROUNDS - 1);
    room("none", 3);
    wrapping();
    passing_by();
    at_the_end();
    downward();
    within((int)(data & 3));
    return 0;
}
