#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "json.h"

enum { DEVICES = 24, SIZE = 160 };
static struct device devices[DEVICES];
static char texts[DEVICES][SIZE];
static size_t sizes[DEVICES];

static int number(void)
{
    return (rand() >> rand() % 31) * (rand() % 3 == 0 ? -1 : 1);
}

void prepare(unsigned seed)
{
    srand(seed + 1);
    for (int n = 0; n < DEVICES; n++) {
        struct device *device = &devices[n];
        *device = (struct device){ number(), rand() % 2, "", { number(), number() } };
        for (int i = rand() % 15; i > 0; i--)
            device->name[i - 1] = "abcdefg hi\"\\"[rand() % 12];
        sizes[n] = rand() % 8 == 0 ? (size_t)rand() % SIZE : SIZE;
        const char *space = rand() % 2 ? " " : "";
        if (rand() % 2)
            snprintf(texts[n], SIZE, "{\"number\":%s%d,%s\"name\":%s\"ab\\\"%d\",\"place\":{\"y\":%d,\"x\":%s%d}%s}", space, number(), space, space,
                     rand() % 10000, number(), space, number(), space);
        else
            snprintf(texts[n], SIZE, "%s{\"name\":\"%d\",%s\"active\":%s,\"number\":%d%s,\"place\":{\"x\":%d%s,\"y\":%d}}", space, rand() % 10000, space,
                     rand() % 2 ? "true" : "false", number(), space, number(), space, number());
        if (rand() % 8 == 0)
            texts[n][rand() % (int)strlen(texts[n])] = "\"{},:a1\\ "[rand() % 9];
        if (rand() % 16 == 0)
            texts[n][rand() % (int)strlen(texts[n])] = '\0';
    }
}

static int unused;
unsigned long drive(void)
{
    unsigned long sum = 0;
    for (int n = 0; n < DEVICES; n++) {
        char text[SIZE] = "";
        struct device device = { 0 };
        sum = 5 * sum + write_device(&devices[n], text, sizes[n]);
        for (int i = 0; text[i] != '\0'; i++)
            sum = 3 * sum + (unsigned char)text[i];
        sum = 5 * sum + (unsigned long)read_device(&device, texts[n]);
        sum = 3 * sum + (unsigned)device.number + 7ul * (unsigned)device.active + 11ul * (unsigned)device.place.x + 13ul * (unsigned)device.place.y;
        for (int i = 0; i < 16; i++)
            sum = 3 * sum + (unsigned char)device.name[i];
    }
    return sum;
}
