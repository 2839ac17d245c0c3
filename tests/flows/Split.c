#include "Split.h"

bool split(struct Split *self)
{
    if (self->t->number % 2 == 0) {
        *self->even = *self->t;
        return Split_send_even(self);
    }
    *self->odd = *self->t;
    return Split_send_odd(self);
}
