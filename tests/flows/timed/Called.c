/* Two threads come here, one at a time: that of the source, and that of the timers. */
#include "Called.h"
#include <stdio.h>

static unsigned inside, met, too;

static void enter(void)
{
    met += inside++ != 0;
    inside--;
}

void at_called(struct Called *self)
{
    static unsigned rings;
    enter();
    rings++;
    self->c->number = too > 0 ? rings : 0;
    Called_send_c(self);
}

void at_called_too(struct Called *self)
{
    (void)self;
    enter();
    too++;
}

bool be_called(struct Called *self)
{
    (void)self;
    enter();
    return true;
}

void Called_end(struct Called *self)
{
    (void)self;
    printf("Called: %u met\n", met);
}
