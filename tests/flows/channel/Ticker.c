/* Sends numbers of its own. */
#include "Ticker.h"

bool tick(struct Ticker *self)
{
    static uint32_t number;
    self->c->number = number++;
    self->c->sensor = self->instance[0] == 'l' ? 0 : 1;
    return Ticker_send_c(self);
}
