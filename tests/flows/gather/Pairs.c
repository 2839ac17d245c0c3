/* Two of one number. */
#include "Pairs.h"
#include "look.h"

static uint32_t calls;
static struct port a, b;

bool pairs(struct Pairs *self)
{
    calls++;
    if (self->a->number != self->b->at.number || self->a->number < 10)
        printf("altered: %u and %u\n", self->a->number, self->b->at.number);
    LOOK_AT_A(self, false);
    LOOK_AT_B(self, false);
    return goes_on(calls);
}

void Pairs_end(struct Pairs *self)
{
    (void)self;
    printf("took %u and %u in %u calls\n", a.count, b.count, calls);
}
