/* Counts. */
#include "Sink.h"
#include "check.h"

static unsigned calls, faults;

bool sink(struct Sink *self)
{
    calls++;
    faults += !is_left(self->t);
    return true;
}

void Sink_end(struct Sink *self)
{
    (void)self;
    printf("Sink: %u calls, %u faults\n", calls, faults);
}
