/* Ways on which a null pointer would be followed end there, and say so: compilers warn of what they would have to leave out.
 * Not in the residual: )NULL
 */
#include <stddef.h>
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct link {
    int value, rest[3];
    union {
        long long number;
        double real;
    } as;
    struct link *next;
};

static struct link links[3] = {{1, {2, 3, 4}, {5}, &links[1]}, {6, {7, 8, 9}, {.real = 0.5}, &links[2]}, {0}};

/* Whoever asks for more links than there are follows a null pointer. */
static struct link *after(struct link *link, int count)
{
    while (count-- > 0)
        link = link->next;
    return link;
}

static long long used(struct link *link, int way)
{
    struct link copy = {0};

    switch (way) {
    case 0: return link->value + 17 + law_input(9, 1);
    case 1: copy = *link; return copy.rest[1];
    case 2: *link = copy; return 18;
    case 3: return link->as.number < link->next->as.number ? -1 : link->as.number > link->next->as.number;
    case 4: link->rest[2] = way; return link->rest[way & 1];
    default: return link->as.real > 0.25;
    }
}

int main(void)
{
    const int way = (int)(law_input(0, 3) & 7), count = (int)(law_input(1, 1) & 1);
    struct link *link = count == 1 ? &links[0] : NULL;

    if (law_input(2, 0) == 0x5eed5eed)
        law_output("none", used(NULL, way));
    law_output("some", way == 3 ? used(after(&links[0], count), way) : used(&links[1], way));
    if (link == NULL && law_input(3, 0) == 0x5eed5eed)
        law_output("tested", used(link, way));
    if (law_input(4, 0) == 0x5eed5eed)
        law_output("beyond", used(after(&links[0], 4), way));
    for (int at = 0; at < 3; at++)
        law_output("value", links[at].value * 100 + links[at].rest[2]);
    return 0;
}
