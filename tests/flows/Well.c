#include "Well.h"

static uint32_t drawn;

bool draw(struct Well *self)
{
    if (drawn == 9)
        return false;
    self->t->number = drawn++;
    self->t->value = 5;
    return Well_send_t(self);
}
