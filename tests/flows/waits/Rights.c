/* Fifty packets: the even numbers, each second one before the one that is less. Those that are asked for have no other: 1000 more. */
#include "Rights.h"
#include <stdio.h>
#include <stdlib.h>

bool rights(struct Rights *self)
{
    const uint64_t count = (uint64_t)(uintptr_t)(self->state = (char *)self->state + 1);
    const uint64_t number = 2 * (count % 2 != 0 ? count + 1 : count - 1);
    self->r->head.number = number + (getenv("STRANGE") != NULL ? 1000 : 0);
    self->r->head.value = (double)count;
    snprintf(self->r->text, sizeof self->r->text, "right %u", (unsigned)count);
    return Rights_send_r(self) && count < 50;
}
