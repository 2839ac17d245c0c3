/* An array that ends a structure may have more items than its type says, where there is memory for them. */
#include <stdlib.h>

extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct items {
    unsigned count;
    short at[1];
};

static short set(struct items *items, int first, int second)
{
    short *place;

    items->at[first] = 3;
    place = &items->at[second];
    *place = 4;
    return items->at[first];
}

int main(void)
{
    struct items *items = malloc(sizeof(struct items) + 40);

    if (items == NULL)
        return 1;
    law_output("first", set(items, 8, (int)law_input(0, 8) & 15));
    law_output("none", &((struct items *)0)->count != NULL);
    return 0;
}
