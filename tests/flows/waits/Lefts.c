/* A hundred packets, numbered. */
#include "Lefts.h"
#include <string.h>

bool lefts(struct Lefts *self)
{
    const uint32_t number = (uint32_t)(uintptr_t)(self->state = (char *)self->state + 1);
    self->l->number = number;
    self->l->size = number;
    memset(self->l->data, (int)number, number);
    return Lefts_send_l(self) && number < 100;
}
