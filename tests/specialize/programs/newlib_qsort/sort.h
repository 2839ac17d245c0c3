#include <stddef.h>

void sort_numbers(int *numbers, size_t count);
