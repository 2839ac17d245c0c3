#include "Gulp.h"
#include <stdio.h>

/* Takes as many at a time as there are. */
static unsigned long gulps, packets;
static long sum;

bool gulp(struct Gulp *self)
{
    const size_t count = Gulp_fetch_t(self);
    for (size_t n = 0; n < count; n++)
        sum += self->t[n].value;
    gulps += count != 0;
    packets += count;
    return count != 0;
}

void Gulp_end(struct Gulp *self)
{
    printf("%s: %lu packets, sum %ld%s\n", self->instance, packets, sum, gulps <= packets ? "" : ", more gulps than packets");
}
