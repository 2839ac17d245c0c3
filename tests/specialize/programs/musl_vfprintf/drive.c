#include <stdlib.h>
#include <string.h>
#include "line.h"

enum { EVENTS = 64, SIZE = 100 };
static struct event events[EVENTS];
static char names[EVENTS][24], line[SIZE];
static size_t sizes[EVENTS];

void prepare(unsigned seed)
{
    srand(seed + 1);
    for (int n = 0; n < EVENTS; n++) {
        const int length = rand() % 20;
        for (int i = 0; i < length; i++)
            names[n][i] = (char)('a' + rand() % 26);
        names[n][length] = '\0';
        events[n].name = names[n];
        events[n].level = rand() % 4 ? rand() % 1000 : -rand() % 100000;
        events[n].code = rand() % 5 ? rand() - rand() : 0;
        events[n].address = rand() % 3 ? (unsigned long)rand() : (unsigned long)rand() << 20;
        events[n].kind = (char)('A' + rand() % 26);
        sizes[n] = rand() % 8 ? SIZE : (size_t)(rand() % 40);
    }
}

unsigned long drive(void)
{
    unsigned long sum = 0;
    for (int n = 0; n < EVENTS; n++) {
        line[0] = '\0';
        /* Some formatters give the length of all, others of what there is room for. */
        const size_t length = (size_t)write_line(line, sizes[n], &events[n]), room = sizes[n] > 0 ? sizes[n] - 1 : 0;
        sum = 31 * sum + (length < room ? length : room);
        for (const char *at = line; *at != '\0'; at++)
            sum = 31 * sum + (unsigned char)*at;
    }
    return sum;
}
