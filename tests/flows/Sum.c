#include "Sum.h"
#include <stdio.h>

struct sum {
    long count, sum;
};

void Sum_begin(struct Sum *self)
{
    static struct sum sums[2];
    static unsigned used;
    self->state = &sums[used++];
}

bool sum(struct Sum *self)
{
    struct sum *const sum = self->state;
    sum->count++;
    sum->sum += self->t->value;
    return true;
}

void Sum_end(struct Sum *self)
{
    const struct sum *const sum = self->state;
    printf("%s: %ld packets, sum %ld\n", self->instance, sum->count, sum->sum);
}
