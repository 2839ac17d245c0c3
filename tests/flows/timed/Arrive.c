#include "Arrive.h"

void at_arrive(struct Arrive *self)
{
    static unsigned rings;
    self->c->number = ++rings;
    Arrive_send_c(self);
}

bool arrive(struct Arrive *self)
{
    (void)self;
    return true;
}
