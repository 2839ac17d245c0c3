#include <stdlib.h>
#include <whittle/specialize.h>
#include "sort.h"

static int compare(const void *first, const void *second)
{
    const int a = *(const int *)first, b = *(const int *)second;
    return (a > b) - (a < b);
}

WHITTLE_SPECIALIZE
void sort_numbers(int *numbers, size_t count)
{
    qsort(numbers, count, sizeof *numbers, compare);
}
