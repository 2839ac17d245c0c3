#include <stdlib.h>
#include <string.h>
#include "unpack.h"

enum { ITEMS = 256, SIZE = 26 };
static unsigned char data[ITEMS][SIZE];
static size_t sizes[ITEMS];

void prepare(unsigned seed)
{
    srand(seed + 1);
    for (int n = 0; n < ITEMS; n++) {
        sizes[n] = rand() % 8 == 0 ? (size_t)rand() % SIZE : SIZE;
        for (int i = 0; i < SIZE; i++)
            data[n][i] = (unsigned char)rand();
    }
}

unsigned long drive(void)
{
    unsigned long sum = 0;
    for (int n = 0; n < ITEMS; n++) {
        struct entry entry = { 0 };
        unsigned tag;
        sum = 5 * sum + (unsigned long)read_entry(data[n], sizes[n], &entry);
        memcpy(&tag, entry.tag, 4);
        sum = 3 * sum + entry.number + 7ul * entry.kind + 11ul * entry.flags + entry.offset + (unsigned)entry.delta + 13ul * tag;
    }
    return sum;
}
