/* Its timer rings while it waits. */
#include "Timed.h"
#include <stdio.h>

static unsigned calls, rings;

bool timed(struct Timed *self)
{
    calls += self->a->number == self->b->number;
    return true;
}

void ring(struct Timed *self)
{
    rings += self->a == NULL && self->b == NULL;
}

void Timed_end(struct Timed *self)
{
    (void)self;
    printf("Timed: %u calls%s\n", calls, rings > 1 ? ", it has rung" : "");
}
