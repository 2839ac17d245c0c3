/* A table of labels is its function's own even where a function may be called at any time, so that nothing is known of
 * the table: no other function names it. */
#include <whittle/specialize.h>

static void *chosen(void **labels)
{
    __asm__ volatile("" : "+r"(labels));
    return *labels;
}

static inline int jump(int number)
{
    static void *labels[] = {&&there};

    if (chosen(labels) == 0)
        goto *labels[0];
there:
    return number + 17;
}

static inline void **labels_of(void **from, int *steps)
{
    static void *labels[] = {&&more, &&last};

    if (!from)
        return labels;
    goto **from++;
more:
    *steps += 1;
    goto **from;
last:
    return from;
}

int jump_from(int number);
int walk(int more);

WHITTLE_SPECIALIZE int jump_from(int number)
{
    return jump(number & 255);
}

WHITTLE_SPECIALIZE int walk(int more)
{
    void **labels = labels_of(0, 0);
    void *way[] = {labels[more != 0 ? 0 : 1], labels[1]};
    int steps = 0;

    labels_of(way, &steps);
    return steps;
}
