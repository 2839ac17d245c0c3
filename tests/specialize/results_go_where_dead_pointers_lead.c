/* The pointer that says where a returned structure goes is read for the last time when the call returns, after ways have
 * parted and met in the function. */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct number {
    long parts[3];
};

struct holder {
    int kind;
    struct number number;
};

static struct number count(int from)
{
    struct number number = {{9, 9, 9}};
    int i;

    for (i = from; i < 3; i++)
        number.parts[i] = -1;
    return number;
}

static void fill(void *data, int from)
{
    struct holder *holder = data;

    holder->number = count(from);
}

int main(void)
{
    struct holder holder = {1, {{0, 0, 0}}};

    fill(&holder, (int)law_input(0, 1) & 3);
    law_output("first", holder.number.parts[0]);
    law_output("last", holder.number.parts[2]);
    law_output("kind", holder.kind);
    return 0;
}
