#include <stdlib.h>
#include <string.h>
#include "sort.h"

enum { ARRAYS = 4, LONGEST = 150 };
static struct person people[ARRAYS][LONGEST];
static size_t counts[ARRAYS];

void prepare(unsigned seed)
{
    srand(seed + 1);
    for (int n = 0; n < ARRAYS; n++) {
        counts[n] = (size_t)rand() % (LONGEST + 1);
        const int ages = rand() % 100 + 1;
        for (int i = 0; i < LONGEST; i++)
            people[n][i] = (struct person){ rand() % ages - 5, (unsigned)rand() % 1000, (float)(rand() % 100), (float)(rand() % 200) };
    }
}

unsigned long drive(void)
{
    unsigned long sum = 0;
    for (int n = 0; n < ARRAYS; n++) {
        struct person list[LONGEST];
        memcpy(list, people[n], sizeof list);
        sort_people(list, counts[n]);
        for (size_t i = 0; i < counts[n]; i++)
            sum = 3 * sum + (unsigned)list[i].age + 5ul * list[i].number + (unsigned)list[i].weight + (unsigned)list[i].height;
    }
    return sum;
}
