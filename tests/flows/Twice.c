#include "Twice.h"

bool twice(struct Twice *self)
{
    self->b->number = self->a->number;
    self->b->value = 2 * self->a->value;
    return Twice_send_b(self);
}
