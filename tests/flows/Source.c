#include "Source.h"

/* A hundred ticks from each source. */
struct count {
    uint32_t next;
};

void Source_begin(struct Source *self)
{
    static struct count counts[8];
    static unsigned used;
    self->state = &counts[used++];
}

bool next_tick(struct Source *self)
{
    struct count *const count = self->state;
    if (count->next == 100)
        return false;
    self->t->number = count->next;
    self->t->value = (int32_t)count->next++ - 10;
    return Source_send_t(self);
}
