#include <whittle/specialize.h>
#include "sort.h"

static int by_age_and_number(const void *first, const void *second, void *context)
{
    const struct person *a = first, *b = second;
    (void)context;
    if (a->age != b->age)
        return a->age < b->age ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

WHITTLE_SPECIALIZE
void sort_people(struct person *people, size_t count)
{
    sort(people, count, sizeof *people, by_age_and_number, NULL, NULL);
}
