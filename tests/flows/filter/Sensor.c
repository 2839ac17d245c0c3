/* What a packet holds follows from its number. Sends MOST packets, says so, and then none until the flow is asked to end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "Sensor.h"

bool sense(struct Sensor *self)
{
    static uint32_t number;
    const char *const most = getenv("MOST");
    const uint32_t n = number++;
    if (most != NULL && n >= (uint32_t)atoi(most)) {
        if (n == (uint32_t)atoi(most))
            puts("sent");
        fflush(stdout);
        return true;
    }
    struct Reading *const r = self->r;
    memset(r, 0, sizeof *r);
    r->number = n;
    r->temperature = n % 20;
    r->warmth = n % 4 == 1 ? 0.1f : 1.0f;
    r->is_open = n % 3 == 0;
    strcpy(r->place, n % 4 == 0 ? "b \"2\"" : "a");
    r->at.x = (int16_t)((int)(n % 7) - 3);
    r->past[1] = r->at;
    r->q_count = n % 5;
    r->v[2] = (int8_t)(n % 2);
    r->id[1] = (uint8_t)(n % 8);
    r->grade = "ABC"[n % 3];
    r->big = UINT64_MAX - n % 2;
    r->small = -(int64_t)(n % 5);
    return Sensor_send_r(self) != WHITTLE_FLOW_IS_CLOSED;
}
