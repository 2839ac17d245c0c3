/* Sends numbers; MOST of them at most, says so, and then none until the flow is asked to end. */
#include <stdio.h>
#include <stdlib.h>
#include "Ticker.h"

bool tick(struct Ticker *self)
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
    self->c->number = n;
    self->c->sensor = n % 3;
    return Ticker_send_c(self) != WHITTLE_FLOW_IS_CLOSED;
}
