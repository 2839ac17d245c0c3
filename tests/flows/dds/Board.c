#include "Board.h"
#include <stdio.h>
#include <string.h>

static unsigned shown, wrong;

bool show(struct Board *self)
{
    const Reading *const reading = self->r;
    char place[24];
    snprintf(place, sizeof place, "station %u", reading->number % 7);
    bool right = reading->number == shown && reading->good == (shown % 2 == 0) && reading->level == (int16_t)-(int)shown
        && strcmp(reading->place, place) == 0 && reading->where[1].x == 1.5f && reading->where[1].y == shown + 0.25
        && reading->time == 1000000000000u + shown && reading->used_bytes == shown % 41 && reading->history_count == shown % 6;
    for (uint32_t n = 0; n < reading->used_bytes; n++)
        right = right && reading->bytes[n] == shown % 256;
    for (uint32_t n = 0; n < reading->history_count; n++)
        right = right && reading->history[n] == (int32_t)(shown * n);
    wrong += !right;
    shown++;
    return true;
}

void Board_end(struct Board *self)
{
    (void)self;
    printf("Board: %u readings, %u wrong\n", shown, wrong);
}
