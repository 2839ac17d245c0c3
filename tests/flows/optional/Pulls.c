/* One of each port that is joined, until none comes. */
#include "Pulls.h"
#include <stdio.h>

static unsigned first, second;

bool pulls(struct Pulls *self)
{
    if (!Pulls_receive_a(self) || Pulls_receive_b(self) != Pulls_has_b(self))
        return false;
    first++;
    second += self->b != NULL && self->b->number == self->a->number;
    *self->o = *self->a;
    return Pulls_send_o(self);
}

void Pulls_end(struct Pulls *self)
{
    printf("Pulls: %u, %u of them twice%s\n", first, second, !Pulls_has_b(self) && Pulls_fetch_b(self) != 0 ? ", out of nothing" : "");
}
