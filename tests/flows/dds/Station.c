#include "Station.h"
#include <stdio.h>
#include <string.h>

#ifndef READINGS
#define READINGS 200
#endif

static uint32_t readings;

bool measure(struct Station *self)
{
    Reading *const reading = self->r;
    if (readings == READINGS)
        return false;
    memset(reading, 0, sizeof *reading);
    reading->number = readings;
    reading->good = readings % 2 == 0;
    reading->level = (int16_t)-(int)readings;
    snprintf(reading->place, sizeof reading->place, "station %u", readings % 7);
    for (int n = 0; n < 2; n++) {
        reading->where[n].x = (float)n + 0.5f;
        reading->where[n].y = readings + 0.25;
    }
    reading->time = 1000000000000u + readings;
    reading->used_bytes = readings % 41;
    memset(reading->bytes, (int)(readings % 256), reading->used_bytes);
    reading->history_count = readings % 6;
    for (uint32_t n = 0; n < reading->history_count; n++)
        reading->history[n] = (int32_t)(readings * n);
    readings++;
    return Station_send_r(self);
}
