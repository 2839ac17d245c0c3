/* Counts, and asks for more where somebody may hear it. */
#include "Sink.h"
#include <stdio.h>

bool take(struct Sink *self)
{
    self->state = (char *)self->state + 1;
    self->wish->number = self->t->number;
    return Sink_send_wish(self);
}

void Sink_end(struct Sink *self)
{
    printf("%s: %d\n", self->instance, (int)(intptr_t)self->state);
}
