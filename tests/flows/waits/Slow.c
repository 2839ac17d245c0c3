/* Ten packets, slowly. */
#include "Slow.h"

bool slowly(struct Slow *self)
{
    self->state = (char *)self->state + 1;
    self->l->number = (uint32_t)(uintptr_t)self->state;
    self->l->size = 0;
    return Slow_send_l(self) && self->l != NULL && (uintptr_t)self->state < 10;
}
