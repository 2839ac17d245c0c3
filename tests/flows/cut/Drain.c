#include "Drain.h"
#include <stdio.h>

static uint64_t count, last, gaps, repeated;

bool drain(struct Drain *self)
{
    const uint64_t value = self->n->value;
    if (count > 0 && value <= last)
        repeated++;
    else if (count > 0 && value != last + 1)
        gaps += value - last - 1;
    last = value;
    count++;
    return true;
}

void Drain_end(struct Drain *self)
{
    (void)self;
    printf("took %llu, missing %llu, repeated %llu\n", (unsigned long long)count, (unsigned long long)gaps,
        (unsigned long long)repeated);
}
