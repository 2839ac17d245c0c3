#include "Late.h"
#include <stdio.h>

static unsigned came;

bool sum_late(struct Late *self)
{
    (void)self;
    came++;
    return true;
}

void Late_end(struct Late *self)
{
    /* How many come in time is the machine's affair; the ledger counts the others. */
    printf("%s: %s\n", self->instance, came <= 100 ? "no more than were sent" : "more than were sent");
}
