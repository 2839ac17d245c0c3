#include "Ticker.h"

static uint32_t ticks;

bool tick(struct Ticker *self)
{
    if (ticks == 400)
        return false;
    self->t->number = ticks++;
    self->t->value = 1;
    return Ticker_send_t(self);
}
