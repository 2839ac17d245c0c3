/* What a function that calls itself is given a pointer to is changed by other means, too: by its name, through another
 * pointer, through itself. */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct box {
    int mode;
    struct box *next;
};

static struct box shared = {1, 0};

static int by_name(struct box *box, int left)
{
    int sum = box->mode;

    if (left <= 0)
        return sum;
    shared.mode = 2;
    sum += box->mode * 10;
    shared.mode = 1;
    sum += by_name(box, left - 1);
    shared.mode = 3;
    sum += box->mode * 100;
    shared.mode = 1;
    return sum;
}

static int twice(struct box *box, struct box *other, int left)
{
    int sum = box->mode;

    if (left <= 0)
        return sum;
    other->mode = 4;
    sum += box->mode * 10;
    box->mode = 1;
    sum += twice(box, other, left - 1);
    other->mode = 6;
    sum += box->mode * 100;
    box->mode = 1;
    return sum;
}

static int round_about(struct box *box, int left)
{
    int sum = box->mode;

    if (left <= 0)
        return sum;
    box->next->mode = 4;
    sum += box->mode * 10;
    box->mode = 1;
    sum += round_about(box, left - 1);
    box->next->mode = 6;
    sum += box->mode * 100;
    box->mode = 1;
    return sum;
}

int main(void)
{
    struct box one = {1, 0};
    struct box ring = {1, 0};
    int left = (int)law_input(0, 5) & 7;

    ring.next = &ring;
    law_output("by name", by_name(&shared, left));
    law_output("twice", twice(&one, &one, left));
    law_output("round about", round_about(&ring, left));
    return 0;
}
