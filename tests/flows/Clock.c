#include "Clock.h"

static uint32_t ticks;

bool tick(struct Clock *self)
{
    if (ticks == 20)
        return false;
    self->t->number = ticks++;
    self->t->value = 1;
    return Clock_send_t(self);
}
