#include "Board.h"
#include <stdio.h>
#include <string.h>

static unsigned readings, wrong;

static bool is_right(const Reading *reading, unsigned at)
{
    char place[sizeof reading->place] = "";
    bool right;
    if (at > 0)
        snprintf(place, sizeof place, "station %u", at % 7);
    right = reading->number == at && reading->level == -(int32_t)at && reading->good == (at > 0 && at % 2 == 0) && strcmp(reading->place, place) == 0
        && reading->time == (at > 0 ? 1000000000000 + at : 0) && reading->where_count == at % 4 && reading->used_bytes == at % 41
        && reading->history_count == at % 6;
    for (unsigned n = 0; right && n < at % 4; n++)
        right = reading->where[n].x == (float)n + 0.5f && reading->where[n].y == at + 0.25;
    for (unsigned n = 0; right && n < at % 41; n++)
        right = reading->bytes[n] == (uint8_t)at;
    for (unsigned n = 0; right && n < at % 6; n++)
        right = reading->history[n] == -(int32_t)(at * n);
    return right;
}

bool show(struct Board *self)
{
    wrong += !is_right(self->r, readings);
    readings++;
    return true;
}

void Board_end(struct Board *self)
{
    (void)self;
    printf("Board: %u readings, %u wrong\n", readings, wrong);
}
