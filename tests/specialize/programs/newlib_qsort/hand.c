#include "sort.h"

static void exchange(int *a, int *b)
{
    const int t = *a;
    *a = *b;
    *b = t;
}

void sort_numbers(int *numbers, size_t count)
{
    while (count > 16) {
        int *last = numbers + count - 1, *middle = numbers + count / 2;
        if (*middle < *numbers)
            exchange(middle, numbers);
        if (*last < *middle) {
            exchange(last, middle);
            if (*middle < *numbers)
                exchange(middle, numbers);
        }
        const int pivot = *middle;
        int *left = numbers, *right = last;
        while (left <= right) {
            while (*left < pivot)
                left++;
            while (*right > pivot)
                right--;
            if (left <= right)
                exchange(left++, right--);
        }
        const size_t before = (size_t)(right + 1 - numbers), behind = (size_t)(last + 1 - left);
        if (before < behind) {
            sort_numbers(numbers, before);
            numbers = left;
            count = behind;
        } else {
            sort_numbers(left, behind);
            count = before;
        }
    }
    for (size_t i = 1; i < count; i++) {
        const int own = numbers[i];
        size_t at = i;
        for (; at > 0 && numbers[at - 1] > own; at--)
            numbers[at] = numbers[at - 1];
        numbers[at] = own;
    }
}
