/* A function that calls itself finds the same each time, and leaves something else: its callers look at what is there after
 * the call. */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct box {
    int mode;
    int size;
};

static int walk(struct box *box, int left)
{
    int sum = box->mode + box->size;

    if (left <= 0)
        return sum;
    sum += walk(box, left - 1);
    if (box->mode == 2)
        sum += 100;
    box->mode = 1;
    sum += walk(box, left - 3);
    if (box->mode == 2)
        sum += 1000;
    box->mode = 2;
    return sum;
}

int main(void)
{
    struct box box = {1, 7};
    int left = (int)law_input(0, 5) & 7;

    law_output("sum", walk(&box, left));
    law_output("mode", box.mode);
    law_output("size", box.size);
    return 0;
}
