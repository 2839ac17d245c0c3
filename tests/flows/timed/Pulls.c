#include "Pulls.h"
#include <stdio.h>

void at_pull(struct Pulls *self)
{
    static unsigned rings;
    self->c->number = ++rings;
    Pulls_send_c(self);
}

bool pull_it(struct Pulls *self)
{
    static unsigned waits;
    if (waits % 2 == 0 ? Pulls_receive_t(self) : Pulls_wait_t(self, 1000000))
        return waits++, true;
    return waits++, !Pulls_over_t(self);
}
