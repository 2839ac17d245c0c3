/* The newest of each: none goes back, and one goes on. */
#include "Newest.h"
#include "check.h"

static unsigned calls, faults;
static uint32_t left;
static double right;

bool newest(struct Newest *self)
{
    calls++;
    faults += !is_left(self->a) || !is_right(self->b) || self->a->number < left || self->b->head.value < right;
    faults += (self->a->number > left) + (self->b->head.value > right) != 1 && calls != 1;
    left = self->a->number;
    right = self->b->head.value;
    return true;
}

void Newest_end(struct Newest *self)
{
    printf("Newest: %u and %.0f in the end, %u faults%s\n", left, right, faults, self->a != NULL ? ", one left over" : "");
}
