#include "Filter.h"

bool only_odd(struct Filter *self)
{
    do {
        if (!Filter_receive_a(self))
            return false;
    } while (self->a->number % 2 == 0);
    *self->b = *self->a;
    return Filter_send_b(self);
}
