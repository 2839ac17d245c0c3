/* A table of more rows than paths are usually kept apart, searched for what is known at run time only: each row has code of its own, and
 * what it calls is unfolded. The letters of a long text stay data.
 * Not in the residual: ".event", "->event", "->guard(", "->action(", "->to"
 */
#include <whittle/specialize.h>
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct machine {
    const struct row *rows;
    int state, count, sum;
};
struct row {
    int from, event, to;
    int (*guard)(const struct machine *machine, int number);
    void (*action)(struct machine *machine, int number);
};

static int guard_even(const struct machine *machine, int number)
{
    return ((number + machine->sum) & 1) == 0;
}

static int guard_few(const struct machine *machine, int number)
{
    return machine->count < number;
}

static void action_add(struct machine *machine, int number)
{
    machine->sum += number;
}

static void action_count(struct machine *machine, int number)
{
    machine->count++;
    machine->sum ^= number << 3;
}

static const struct row rows[] = {
    { 0, 1, 1, 0, action_add },
    { 0, 2, 2, guard_even, action_add },
    { 0, 2, 3, 0, action_count },
    { 1, 1, 2, guard_few, action_count },
    { 1, 2, 0, 0, 0 },
    { 1, 3, 3, guard_even, action_add },
    { 2, 1, 3, 0, action_count },
    { 2, 2, 1, guard_few, 0 },
    { 2, 3, 0, 0, action_add },
    { 3, 1, 0, guard_few, action_add },
    { 3, 2, 2, guard_even, action_count },
    { 3, 3, 1, 0, action_count },
    { -1, 4, 0, 0, action_add },
};

static void step(struct machine *machine, int event, int number)
{
    for (unsigned at = 0; at < sizeof rows / sizeof *rows; at++) {
        const struct row *row = &machine->rows[at];

        if (row->event != event || (row->from >= 0 && row->from != machine->state))
            continue;
        if (row->guard && !row->guard(machine, number))
            continue;
        if (row->action)
            row->action(machine, number);
        machine->state = row->to;
        return;
    }
}

static int is_name(const char *text)
{
    static const char name_of_it[] = "longer than eight letters";
    int at = 0;

    while (name_of_it[at] && text[at] == name_of_it[at])
        at++;
    return name_of_it[at] == text[at];
}

int main(void)
{
    static struct machine machines[2];
    struct machine *machine = &machines[law_input(0, 0) & 1];
    unsigned long long events = (unsigned long long)law_input(1, 0x3a1264d7c9);
    char text[32] = "longer than eight letters";

    WHITTLE_PRIVATE(machine);
    machine->rows = rows;
    for (int round = 0; round < 20; round++) {
        step(machine, (int)(events & 7), round);
        events = events >> 2 | events << 59;
    }
    law_output("state", machine->state);
    law_output("count", machine->count);
    law_output("sum", machine->sum);
    text[law_input(2, 30) & 31] = (char)law_input(3, 0);
    law_output("name", is_name(text));
    return 0;
}
