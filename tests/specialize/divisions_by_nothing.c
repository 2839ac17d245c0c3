/* A divisor that is known to be zero, on a way that no run takes: what is left of it stops the program, and no compiler warns.
 * Not in the residual: / 0, % 0
 * In the residual: __builtin_trap();
 */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct box {
    int weight;
    unsigned width;
};

static int share(const struct box *boxes, int count, unsigned room)
{
    unsigned total = 0, sum = 0;
    for (int i = 0; i < count; i++)
        total += (unsigned)boxes[i].weight;
    for (int i = 0; i < count; i++) {
        unsigned extra = room * room % 4u == boxes[i].width ? room / total * (unsigned)boxes[i].weight : room;
        sum += extra + (room * room % 8u == 5 ? room % total : 0);
    }
    return (int)sum;
}

int main(void)
{
    struct box boxes[3] = {{0, 3}, {0, 2}, {0, 3}};
    unsigned room = (unsigned)law_input(0, 70) & 255;
    law_output("share", share(boxes, 3, room));
    boxes[1].weight = 2;
    law_output("again", share(boxes, 3, room));
    law_output("real", (long long)(room / 4.0));
    return 0;
}
