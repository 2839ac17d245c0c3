/* Asks for frames of 10 bytes, which the source does not make: its least are 100. Counts those, and what is missing. */
#include "Sink.h"
#include <stdio.h>

static unsigned next_number, small, missing;

bool take(struct Sink *self)
{
    missing += self->f->number != next_number;
    next_number = self->f->number + 1;
    small += self->f->size == 100;
    self->w->seen = self->f->number;
    self->w->size = 10;
    return Sink_send_w(self);
}

void Sink_end(struct Sink *self)
{
    (void)self;
    printf("Sink: %u small, %u missing\n", small, missing);
}
