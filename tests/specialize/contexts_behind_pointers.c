/* A context that is only reached by a pointer of run time: what is stored there holds on where paths join, and after `memset`, until somebody
 * may write it; another pointer may lead to the same context.
 * Not in the residual: "never", ->mode ==, switch
 */
#include <string.h>
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

enum mode { ENDED, APPENDS, ADDS };
struct context {
    enum mode mode;
    int count;
    unsigned char bytes[16];
    int total, step;
};
static struct context contexts[3];

static void begin(struct context *own, int all, enum mode mode, int step)
{
    if (all)
        memset(own, 0, sizeof *own);
    else {
        memset(own->bytes, 0, sizeof own->bytes);
        own->count = 0;
        own->total = 0;
    }
    own->mode = mode;
    own->step = step;
    if (all > 1)
        own->total = own->step;
}

static int put(struct context *own, int number)
{
    switch (own->mode) {
    case APPENDS: own->bytes[own->count++ & 15] = (unsigned char)number; break;
    case ADDS: own->total += number * own->step; break;
    default: law_output("never", own->mode);
    }
    return own->count + own->total + own->step;
}

int main(void)
{
    int number = (int)law_input(0, 7) & 0xff;
    int all = (int)law_input(1, 1) & 3;
    struct context *one = &contexts[law_input(2, 0) & 1], *other = &contexts[1 + (law_input(3, 1) & 1)];
    int sum;

    begin(one, all, APPENDS, 3);
    sum = put(one, number) + put(one, number + 1);
    begin(other, all ^ 1, ADDS, 5);
    sum = sum * 31 + put(other, number);
    if (number & 1)
        one->step = 9;
    sum = sum * 31 + other->step;
    begin(one, 0, ADDS, 2);
    other->step += number;
    sum = sum * 31 + one->step;
    law_output("sum", sum);
    for (int at = 0; at < 3; at++) {
        law_output("count", contexts[at].count);
        law_output("total", contexts[at].total);
        law_output("step", contexts[at].step);
        law_output("byte", contexts[at].bytes[at]);
    }
    return 0;
}
