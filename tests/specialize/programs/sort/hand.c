#include "sort.h"

enum { FEW = 8 };

static inline int less(const struct person *a, const struct person *b)
{
    return a->age != b->age ? a->age < b->age : a->number < b->number;
}

static inline void swap(struct person *a, struct person *b)
{
    const struct person person = *a;
    *a = *b;
    *b = person;
}

static void insert(struct person *first, struct person *end)
{
    for (struct person *at = first + 1; at < end; at++) {
        const struct person person = *at;
        struct person *to = at;
        for (; to > first && less(&person, to - 1); to--)
            *to = to[-1];
        *to = person;
    }
}

static void quick(struct person *first, size_t count)
{
    while (count > FEW) {
        struct person *const last = first + count - 1, *const half = first + count / 2, *left = first + 1, *right = last;
        if (less(last, half))
            swap(last, half);
        if (less(half, first))
            swap(half, first);
        if (less(last, half))
            swap(last, half);
        swap(first, half);
        for (;;) {
            while (left <= right && less(left, first))
                left++;
            while (right > left && less(first, right))
                right--;
            if (left >= right)
                break;
            swap(left++, right--);
        }
        swap(first, left - 1);
        const size_t before = (size_t)(left - 1 - first);
        quick(first, before);
        first = left;
        count -= before + 1;
    }
    if (count > 1)
        insert(first, first + count);
}

void sort_people(struct person *people, size_t count)
{
    quick(people, count);
}
