/* A failure that takes much work before it ends is called as it stands; a short one is unfolded, and what never returns but goes on
 * by itself is specialized.
 * Not in the residual: "never"
 * Lines of the residual: at most 400
 */
#include <stdlib.h>
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct machine {
    int mode;
    unsigned state[40];
    unsigned sum;
};

static unsigned mix(unsigned a, unsigned b)
{
    return (a << 5 | a >> 27) ^ b * 2654435761u;
}

static void stir(struct machine *machine, int rounds)
{
    for (int i = 0; i < rounds; i++)
        for (int k = 0; k < 40; k++)
            machine->state[k] = mix(machine->state[k], machine->state[(k + 1) % 40] + machine->sum);
}

static unsigned sum_of(const struct machine *machine)
{
    unsigned sum = 0;
    for (int k = 0; k < 40; k++)
        sum = mix(sum, machine->state[k]);
    return sum;
}

static void report(struct machine *machine, int why)
{
    stir(machine, 30);
    law_output("failed", why);
    law_output("state", sum_of(machine));
    exit(3);
}

static void fail(struct machine *machine, int why)
{
    if (machine->mode == 1)
        law_output("mode", 1);
    report(machine, why);
}

static void fail_shortly(int why)
{
    law_output("short", why);
    exit(4);
}

static unsigned step(struct machine *machine, unsigned by)
{
    if (machine->mode != 1)
        law_output("never", 1);
    if (by % 251 == 17)
        fail(machine, (int)by);
    if (by % 241 == 19)
        fail_shortly((int)by);
    return machine->sum = mix(machine->sum, by);
}

/* It never returns, but goes round a loop: nobody would call that a failure. */
static void serve(struct machine *machine)
{
    for (unsigned round = 0;; round++) {
        if (machine->mode != 1)
            law_output("never", 2);
        law_output("step", step(machine, (unsigned)law_input((int)round, round * 7 + 3)));
        if (round > 60) {
            law_output("end", machine->sum);
            exit(0);
        }
    }
}

int main(void)
{
    struct machine machine = {1, {0}, 5};
    for (int k = 0; k < 40; k++)
        machine.state[k] = (unsigned)law_input(100 + k, k);
    serve(&machine);
    return 0;
}
