/* Numbers of each sensor only grow; ends after LEAVE packets. */
#include <stdio.h>
#include <stdlib.h>
#include "Dial.h"

static uint32_t count, next[2];

bool turn(struct Dial *self)
{
    const char *const leave = getenv("LEAVE");
    const uint32_t sensor = self->c->sensor % 2;
    if (next[sensor] == 0) {
        printf("hears %u\n", sensor);
        fflush(stdout);
    }
    if (self->c->number < next[sensor])
        printf("again: %u\n", self->c->number);
    next[sensor] = self->c->number + 1;
    count++;
    return leave == NULL || count < (uint32_t)atoi(leave);
}
