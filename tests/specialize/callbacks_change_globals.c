/* Unknown code that got a function's address may call it, and the function may change globals. */
#include <stdlib.h>

extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

static int calls;
static int shift = 1;

static int compare(const void *left, const void *right)
{
    calls++;
    return (*(const int *)left > *(const int *)right) * shift - (*(const int *)left < *(const int *)right) * shift;
}

static int (*const comparisons[])(const void *, const void *) = {compare};

int main(void)
{
    int numbers[4] = {3, 1, 4, 2};

    numbers[0] = (int)law_input(0, 3);
    qsort(numbers, 4, sizeof numbers[0], comparisons[0]);
    law_output("called", calls > 2);
    law_output("first", numbers[0]);
    shift = -1;
    qsort(numbers, 4, sizeof numbers[0], compare);
    law_output("first", numbers[0]);
    return 0;
}
