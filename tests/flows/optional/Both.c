/* Passes on what comes at the first port, and notes what comes at any. */
#include "Both.h"
#include <stdio.h>

static unsigned first, second;

bool both(struct Both *self)
{
    const struct Tick *const tick = self->a != NULL ? self->a : self->b;
    first += self->a != NULL;
    second += self->b != NULL;
    self->log->number = tick->number;
    if (!Both_send_log(self))
        return false;
    if (self->a == NULL)
        return true;
    self->o->number = tick->number;
    return Both_send_o(self);
}

void Both_end(struct Both *self)
{
    printf("Both: %u and %u, %s\n", first, second, Both_has_b(self) ? "two ports" : "one port");
}
