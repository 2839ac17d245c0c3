#include <stdlib.h>
#include <string.h>
#include "record.h"

enum { RECORDS = 24 };
static struct record records[RECORDS];
static int values[RECORDS][MOST + 1];
static char buffers[RECORDS][SIZE] __attribute__((aligned(8)));

static int number(void)
{
    return (int)((unsigned)rand() << 9 ^ (unsigned)rand());
}

void prepare(unsigned seed)
{
    srand(seed + 1);
    memset(buffers, 0, sizeof buffers);
    for (int n = 0; n < RECORDS; n++) {
        struct record *r = &records[n];
        r->station = number();
        r->calibrated = rand() % 2;
        r->factor = number() / 1024.0;
        for (int s = 0; s < 4; s++) {
            r->sample[s].time = (u_int)number();
            for (int i = 0; i < LEVELS; i++)
                r->sample[s].level[i] = number();
        }
        r->values.count = (u_int)rand() % (MOST + (rand() % 8 == 0 ? 2 : 1));     /* one more is refused */
        r->values.value = values[n];
        for (int i = 0; i <= MOST; i++)
            values[n][i] = number();
    }
}

static unsigned long folded(unsigned long sum, const void *at, size_t words)
{
    for (; words > 0; words--, at = (const char *)at + 4) {
        unsigned word;
        memcpy(&word, at, 4);
        sum = 3 * sum + word;
    }
    return sum;
}

unsigned long drive(void)
{
    unsigned long sum = 0;
    for (int n = 0; n < RECORDS; n++) {
        const bool_t encoded = encode(buffers[n], &records[n]);
        sum = folded(3 * sum + (unsigned long)encoded, buffers[n], 128 / 4);
        struct record out;
        int room[MOST + 1] = { 0 };
        memset(&out, 0, sizeof out);
        out.values.value = room;
        sum = 3 * sum + (unsigned long)decode(buffers[n], &out);
        sum = folded(sum, &out.station, 2);
        sum = folded(sum, &out.factor, 2);
        sum = folded(sum, out.sample, sizeof out.sample / 4);
        sum = folded(3 * sum + out.values.count, room, MOST + 1);
    }
    return sum;
}
