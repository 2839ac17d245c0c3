/* Bit-fields that share bytes, some known and some of run time: a machine with flags stays known beside them, and each field has its own value,
 * across bytes, signed, of truth values, and where another field is written in between.
 * Not in the residual: "never", switch, ->z, .z
 */
#include <stdbool.h>
#include <string.h>
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct flags {
    unsigned z : 1, n : 1;
    int kind : 3;
    unsigned wide : 13;
    bool set : 1;
    signed low : 5;
    unsigned long long far : 37;
    unsigned char last : 4;
};
struct machine {
    long r[4];
    struct flags flags;
    int at;
};
enum { STEP, TEST, FLAG, STOP };
static const struct { unsigned char what, a; signed char number; } code[] = {
    { STEP, 0, 3 }, { TEST, 0, 0 }, { STEP, 1, -5 }, { FLAG, 1, 2 }, { TEST, 1, 0 }, { STOP, 0, 0 },
};

static void set_flags(struct machine *own, long value)
{
    own->flags.z = value == 0;
    own->flags.n = value < 0;
    own->flags.wide += (unsigned)value;
    own->flags.low = (int)(value & 7) - 4;
}

static int run(struct machine *own)
{
    for (;;) {
        switch (code[own->at].what) {
        case STEP:
            own->r[code[own->at].a] = own->r[code[own->at].a] * 3 + code[own->at].number;
            set_flags(own, own->r[code[own->at].a]);
            break;
        case TEST:
            if (own->flags.kind != -2 || own->flags.last != 9)
                law_output("never", own->flags.kind);
            own->flags.set = own->flags.n || own->flags.z;
            break;
        case FLAG:
            own->flags.far = (unsigned long long)own->r[1] * 77777777ull;
            own->flags.set ^= 1;
            break;
        default: return own->flags.kind;
        }
        own->at++;
    }
}

int main(void)
{
    long number = (long)law_input(0, -1) % 1000, other = (long)law_input(1, 2) % 1000;
    struct machine machine = { .r = { number, other } };
    struct flags copy;
    int result;

    machine.flags.kind = -2;
    machine.flags.last = 9;
    result = run(&machine);
    law_output("result", result);
    copy = machine.flags;
    law_output("z", machine.flags.z);
    law_output("n", machine.flags.n);
    law_output("wide", copy.wide);
    law_output("set", copy.set);
    law_output("low", machine.flags.low);
    law_output("far", (long long)copy.far);
    law_output("last", copy.last);
    machine.flags.last = (unsigned char)number;
    machine.flags.kind = (int)other;
    law_output("last", machine.flags.last);
    law_output("kind", machine.flags.kind);
    if (machine.flags.last == 3)
        law_output("three", machine.flags.last);
    return 0;
}
