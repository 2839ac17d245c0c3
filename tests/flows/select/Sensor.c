/* What a packet holds follows from its number. Sends MOST packets, says so, and then none until the flow is asked to end; each FAULTY is at fault. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "Sensor.h"

bool sense(struct Sensor *self)
{
    static uint32_t number;
    const char *const most = getenv("MOST"), *const faulty = getenv("FAULTY");
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
    r->is_open = n % 3 == 0;
    strcpy(r->place, n % 4 == 0 ? "b" : "a longer place");
    r->at[1].y = (int16_t)(n % 7);
    r->q_count = n % 5;
    for (uint32_t item = 0; item < r->q_count; item++)
        r->q[item] = (float)item;
    r->n = n % 300;
    memset(r->bytes, (int)(n % 256), r->n);
    if (faulty != NULL && n % (uint32_t)atoi(faulty) == 1)
        r->n = 301;
    return Sensor_send_r(self) != WHITTLE_FLOW_IS_CLOSED;
}
