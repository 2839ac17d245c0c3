#include "Clock.h"

#ifndef TICKS
#define TICKS 20
#endif

static uint32_t ticks;

bool tick(struct Clock *self)
{
    if (ticks == TICKS)
        return false;
    self->t->number = ticks++;
    self->t->value = 1;
    return Clock_send_t(self);
}
