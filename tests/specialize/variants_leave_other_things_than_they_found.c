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

/* What is zero beside it is not said to be: it is one range with the number that is changed. */
struct row {
    unsigned head, numbers[4], items[4];
};

static unsigned add(struct row *row, unsigned by, unsigned depth)
{
    unsigned all = depth, at = 0;

    for (unsigned i = 0; i < (by >> 4 & 3); i++)
        at++;
    if (depth > 0)
        all = all * 13 + add(row, by >> 1, depth - 1);
    row->items[3] += by + at;
    return all;
}

static unsigned add_to_zeros(unsigned by)
{
    struct row row = {1, {2, 3, 4, 5}, {6}};
    unsigned all = add(&row, by, 2);

    for (int i = 0; i < 4; i++)
        all = all * 7 + row.numbers[i] + row.items[i];
    return all;
}

int main(void)
{
    struct box box = {1, 7};
    int left = (int)law_input(0, 5) & 7;

    law_output("sum", walk(&box, left));
    law_output("mode", box.mode);
    law_output("size", box.size);
    law_output("zeros", add_to_zeros((unsigned)law_input(1, 77)));
    return 0;
}
