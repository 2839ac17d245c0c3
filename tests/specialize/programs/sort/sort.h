#include <stddef.h>

/* Like qsort, with a context for the comparison, and a function that swaps elements, or null for one that swaps bytes. */
typedef int sort_compare(const void *first, const void *second, void *context);
typedef void sort_swap(void *first, void *second, size_t size);

void sort(void *elements, size_t count, size_t size, sort_compare *compare, void *context, sort_swap *swap);

struct person {
    int age;
    unsigned number;
    float weight, height;
};

void sort_people(struct person *people, size_t count);
