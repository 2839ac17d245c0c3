/* Numbers from 0 on; ends after MOST. */
#include "Ticker.h"
#include <stdlib.h>

bool tick(struct Ticker *self)
{
    static uint32_t number;
    const char *const most = getenv("MOST");
    self->c->number = number;
    self->c->twice = 2 * number++;
    return Ticker_send_c(self) && (most == NULL || number < (uint32_t)atoi(most));
}
