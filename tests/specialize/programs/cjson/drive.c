#include <stdlib.h>
#include <string.h>
#include "report.h"

enum { SAMPLES = 32 };
static struct sample samples[SAMPLES];
static char names[SAMPLES][24], line[200];
static int sizes[SAMPLES];

void prepare(unsigned seed)
{
    srand(seed + 1);
    for (int n = 0; n < SAMPLES; n++) {
        const int length = rand() % 20;
        for (int i = 0; i < length; i++)
            names[n][i] = "abcdefghij \"\\\n\001z"[rand() % (rand() % 2 ? 16 : 11)];
        names[n][length] = '\0';
        samples[n] = (struct sample){names[n], rand() - rand(), rand() % 100, rand() % 2};
        sizes[n] = rand() % 8 ? 200 : 1 + rand() % 100;
    }
}

unsigned long drive(void)
{
    unsigned long sum = 0;
    for (int n = 0; n < SAMPLES; n++) {
        const int done = print_sample(line, sizes[n], &samples[n]);
        sum = 31 * sum + (unsigned long)done;
        for (const char *at = line; done && *at != '\0'; at++)
            sum = 31 * sum + (unsigned char)*at;
    }
    return sum;
}
