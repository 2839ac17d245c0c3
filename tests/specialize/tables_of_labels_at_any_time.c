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

int jump_from(int number);

WHITTLE_SPECIALIZE int jump_from(int number)
{
    return jump(number & 255);
}
