#include "Station.h"
#include <stdio.h>
#include <string.h>

#ifndef READINGS
#define READINGS 200
#endif

static uint32_t readings;

/* The first reading is nothing but defaults: a message without a byte. */
bool measure(struct Station *self)
{
    Reading *const reading = self->r;
    if (readings == READINGS)
        return false;
    memset(reading, 0, sizeof *reading);
    if (readings > 0) {
        reading->number = readings;
        reading->level = -(int32_t)readings;
        reading->good = readings % 2 == 0;
        snprintf(reading->place, sizeof reading->place, "station %u", readings % 7);
        reading->where_count = readings % 4;
        for (uint32_t n = 0; n < reading->where_count; n++) {
            reading->where[n].x = (float)n + 0.5f;
            reading->where[n].y = readings + 0.25;
        }
        reading->used_bytes = (uint16_t)(readings % 41);
        memset(reading->bytes, (int)(readings % 256), reading->used_bytes);
        reading->time = 1000000000000 + readings;
        reading->history_count = readings % 6;
        for (uint32_t n = 0; n < reading->history_count; n++)
            reading->history[n] = -(int32_t)(readings * n);
    }
    readings++;
    return Station_send_r(self);
}
