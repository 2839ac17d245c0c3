/* Two of one number each. DIES: it does so once, at the twentieth. */
#include "Pairs.h"
#include "check.h"
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static unsigned calls, faults;

bool pairs(struct Pairs *self)
{
    calls++;
    faults += !is_left(self->a) || !is_right(self->b) || self->a->number != self->b->head.number;
    if (getenv("DIES") != NULL && calls == 20 && close(open("died", O_CREAT | O_EXCL | O_WRONLY, 0600)) == 0)
        raise(SIGKILL);
    *self->o = *self->a;
    return Pairs_send_o(self) && !(getenv("ENOUGH") != NULL && calls == 10);
}

void Pairs_end(struct Pairs *self)
{
    (void)self;
    printf("Pairs: %u calls, %u faults\n", calls, faults);
}
