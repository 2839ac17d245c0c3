#include "Drinker.h"
#include <stdio.h>

static unsigned long drunk;

bool drink(struct Drinker *self)
{
    if (!Drinker_receive_t(self))
        return false;
    drunk = 10 * drunk + self->t->number;
    return true;
}

void Drinker_end(struct Drinker *self)
{
    printf("%s: %lu\n", self->instance, drunk);
}
