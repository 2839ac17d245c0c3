#include <stdlib.h>
#include "format.h"

enum { EVENTS = 64, SIZE = 80 };
static struct event events[EVENTS];
static char names[EVENTS][20];
static size_t sizes[EVENTS];

static int number(void)
{
    const int shift = rand() % 31;
    return (rand() >> shift) * (rand() % 3 == 0 ? -1 : 1);
}

void prepare(unsigned seed)
{
    srand(seed + 1);
    for (int n = 0; n < EVENTS; n++) {
        const int length = rand() % 15;
        for (int i = 0; i < length; i++)
            names[n][i] = (char)('a' + rand() % 26);
        names[n][length] = '\0';
        events[n] = (struct event){ number(), (unsigned)number(), names[n], (char)('A' + rand() % 26), number() };
        sizes[n] = rand() % 8 == 0 ? (size_t)rand() % SIZE : SIZE;
    }
}

unsigned long drive(void)
{
    unsigned long sum = 0;
    for (int n = 0; n < EVENTS; n++) {
        char buffer[SIZE] = "";
        sum = 5 * sum + (unsigned long)write_event(buffer, sizes[n], &events[n]);
        for (int i = 0; i < SIZE && buffer[i] != '\0'; i++)
            sum = 3 * sum + (unsigned char)buffer[i];
    }
    return sum;
}
