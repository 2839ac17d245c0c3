/* What the scenario says is private, and what a recursive function alone was given, is reached through addresses that are made of the
 * pointer, too: inside it at an unknown place, moved step by step, or lent to a function; the recursive function's also by way of memory, a
 * table or a number. What they lead to is changed through them; what lies elsewhere in the object is still known.
 * Not in the residual: "never"
 */
#include <string.h>
#include <whittle/specialize.h>
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct link {
    int state;
    int timers[4];
    int count;
    int *current;
    char log[8];
    int last;
};
static struct link links[2];
static struct link *kept;

static void begin(struct link *link)
{
    memset(link, 0, sizeof *link);
    link->state = 1;
    link->timers[1] = 5;
    link->count = 6;
    link->log[2] = 7;
    link->last = 8;
}

static long long seen(const struct link *link)
{
    return link->timers[0] + link->timers[1] * 10ll + link->timers[2] * 100ll + link->timers[3] * 1000ll + link->count * 10000ll +
           link->log[2] * 100000ll + link->last * 1000000ll;
}

static void lent(struct link *link, int a, int b)
{
    int *timer = &link->timers[a & 3];

    if (b & 1)
        timer = &link->count;
    memset(timer, 0, sizeof *timer);
    law_output("lent", seen(link));
    memset(link->timers, 1, sizeof link->timers);
    memcpy(link->log + (a & 3), "abc", 3);
    law_output("filled", link->timers[b & 3] + link->log[2]);
}

static void stored(struct link *link, int a, int b)
{
    int *timer = &link->timers[a & 3], *other = &link->timers[b & 3];

    *timer = 3;
    *other = 4;
    if (link->count != 6 || link->last != 8)
        law_output("never", link->count);
    law_output("stored", seen(link) + *timer * 3);
}

static void moved(struct link *link, int a)
{
    int *timer = link->timers;

    for (a &= 3; a > 0; a--)
        timer++;
    *timer = 9;
    law_output("moved", seen(link));
}

static void remembered(struct link *link, int a)
{
    link->current = &link->timers[a & 3];
    *link->current += 1;
    law_output("in memory", seen(link));
    kept = link;
    kept->timers[a & 1] = 2;
    law_output("by another name", seen(link));
}

static void numbered(struct link *link, int a)
{
    unsigned long number = (unsigned long)&link->timers[a & 3];

    *(int *)number = 1;
    law_output("a number", seen(link));
}

static void chosen(struct link *link, struct link *other, int a)
{
    struct link *both[2] = { link, other }, *one = both[a & 1];

    one->last = a;
    law_output("one of two", seen(link));
}

/* What a recursive function alone was given is private, too, without a word of the scenario. */
static long long handed_on(struct link *link, int a, int depth)
{
    long long sum;
    int *timer;

    link->timers[0] = 3;
    timer = &link->timers[a & 1];
    *timer += 4;
    sum = link->timers[0];
    remembered(link, a);
    numbered(link, a);
    chosen(link, &links[1], a);
    if (depth > 0)
        sum = sum * 31 + handed_on(link, a >> 1, depth - 1);
    lent(link, a, depth);
    return sum + link->timers[0];
}

int main(void)
{
    int a = (int)law_input(0, 1), b = (int)law_input(1, 2), at = a >> 4 & 1;
    struct link *link = &links[at], *other = &links[!at];

    WHITTLE_PRIVATE(link);
    begin(other);
    begin(link);
    lent(link, a, b);
    if (link->state != 1)
        law_output("never", link->state);
    begin(link);
    stored(link, a, b);
    begin(link);
    moved(link, a);
    law_output("other", seen(other));
    struct link own;

    begin(&own);
    law_output("recursive", handed_on(&own, a, b & 7) + seen(&own));
    return 0;
}
