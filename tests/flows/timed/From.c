#include "From.h"
#include "fails.h"

void From_begin(struct From *self)
{
    if (fails("From"))
        From_fail(self, "there is no camera");
}

bool from(struct From *self)
{
    if (self->t->number == 100)
        return false;
    const unsigned number = self->t->number;
    const bool sent = From_send_t(self);
    self->t->number = number + 1;
    return sent;
}
