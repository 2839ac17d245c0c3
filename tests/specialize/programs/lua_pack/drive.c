#include <stdlib.h>
#include <string.h>
#include "pack.h"

enum { TIMES = 60 };
static union value headers[TIMES][6], points[TIMES][5];
static char texts[TIMES][24];

static long long number(void)
{
    return (long long)rand() << 32 ^ (long long)rand() << 8 ^ -(long long)(rand() % 2);
}

void prepare(unsigned seed)
{
    srand(seed + 1);
    for (int n = 0; n < TIMES; n++) {
        const int length = rand() % 24;
        memset(texts[n], 0, sizeof texts[n]);
        for (int i = 0; i < length; i++)
            texts[n][i] = (char)('a' + rand() % 26);
        for (int i = 0; i < 5; i++)
            headers[n][i].integer = number();
        headers[n][5].text = texts[n];
        points[n][0].integer = number();
        points[n][1].number = (double)number() / 3;
        points[n][2].number = rand() / 1024.0;
        points[n][3].text = texts[n];
        points[n][4].integer = number();
    }
}

static unsigned long folded(unsigned long sum, const char *at, size_t size)
{
    for (size_t i = 0; i + 8 <= size; i += 8) {
        unsigned long word;
        memcpy(&word, at + i, 8);
        sum = 3 * sum + word;
    }
    return 3 * sum + size;
}

unsigned long drive(void)
{
    unsigned long sum = 0;
    for (int n = 0; n < TIMES; n++) {
        char room[64] = { 0 };
        pack_header(headers[n], room);
        sum = folded(sum, room, sizeof room);
        pack_point(points[n], room);
        sum = folded(sum, room, sizeof room);
    }
    return sum;
}
