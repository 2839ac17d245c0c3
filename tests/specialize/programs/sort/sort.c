/* A generic sort: quicksort with the median of three, and insertion for few elements. */
#include "sort.h"

enum { FEW = 8 };

struct sorting {
    size_t size;
    sort_compare *compare;
    void *context;
    sort_swap *swap;
};

static void swap_bytes(void *first, void *second, size_t size)
{
    char *a = first, *b = second;
    while (size-- > 0) {
        const char c = *a;
        *a++ = *b;
        *b++ = c;
    }
}

static int less(const struct sorting *sorting, const char *first, const char *second)
{
    return sorting->compare(first, second, sorting->context) < 0;
}

static void exchange(const struct sorting *sorting, char *first, char *second)
{
    if (first != second)
        sorting->swap(first, second, sorting->size);
}

static void insert(const struct sorting *sorting, char *first, char *end)
{
    for (char *at = first + sorting->size; at < end; at += sorting->size)
        for (char *to = at; to > first && less(sorting, to, to - sorting->size); to -= sorting->size)
            exchange(sorting, to, to - sorting->size);
}

static void put_median_first(const struct sorting *sorting, char *first, char *middle, char *last)
{
    if (less(sorting, last, middle))
        exchange(sorting, last, middle);
    if (less(sorting, middle, first))
        exchange(sorting, middle, first);
    if (less(sorting, last, middle))
        exchange(sorting, last, middle);
    exchange(sorting, first, middle);
}

static void quick(const struct sorting *sorting, char *first, size_t count)
{
    while (count > FEW) {
        char *const end = first + count * sorting->size;
        put_median_first(sorting, first, first + count / 2 * sorting->size, end - sorting->size);
        char *left = first + sorting->size, *right = end - sorting->size;
        for (;;) {
            while (left <= right && less(sorting, left, first))
                left += sorting->size;
            while (right > left && less(sorting, first, right))
                right -= sorting->size;
            if (left >= right)
                break;
            exchange(sorting, left, right);
            left += sorting->size;
            right -= sorting->size;
        }
        char *const middle = left - sorting->size;
        exchange(sorting, first, middle);
        const size_t before = (size_t)(middle - first) / sorting->size;
        quick(sorting, first, before);
        first = left;
        count -= before + 1;
    }
    if (count > 1)
        insert(sorting, first, first + count * sorting->size);
}

void sort(void *elements, size_t count, size_t size, sort_compare *compare, void *context, sort_swap *swap)
{
    const struct sorting sorting = { size, compare, context, swap != NULL ? swap : swap_bytes };
    if (count > 1 && size > 0)
        quick(&sorting, elements, count);
}
