/* Sends MOST packets, says so, and then sends none until the flow is asked to end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "Sensor.h"

bool sense(struct Sensor *self)
{
    static uint32_t number;
    const char *const most = getenv("MOST");
    if (most != NULL && number >= (uint32_t)atoi(most)) {
        if (number++ == (uint32_t)atoi(most))
            puts("sent");
        fflush(stdout);
        return true;
    }
    memset(self->r, 0, sizeof *self->r);
    self->r->number = number++;
    self->r->temperature = (double)self->r->number / 2;
    memcpy(self->r->place, "at the door", 12);
    return Sensor_send_r(self);
}
