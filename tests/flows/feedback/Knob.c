/* Turned a thousand times as fast as it can. */
#include "Knob.h"
#include <stdio.h>

bool turn(struct Knob *self)
{
    static uint32_t number;
    if (number == 1000)
        return false;
    self->n->number = ++number;
    snprintf(self->n->text, sizeof self->n->text, "turn %u", number);
    return Knob_send_n(self);
}
