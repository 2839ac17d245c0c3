#include "Over.h"
#include "fails.h"

void Over_begin(struct Over *self)
{
    if (fails("Over"))
        Over_fail(self, "there is no table");
}

bool over(struct Over *self)
{
    static unsigned count;
    if (fails("middle") && ++count == 10) {
        Over_fail(self, "the tenth does not fit");
        return false;
    }
    *self->b = *self->a;
    return Over_send_b(self);
}
