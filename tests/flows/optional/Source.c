/* A hundred packets, each through both ports; looks for a wish before each. */
#include "Source.h"
#include <stdio.h>

bool make(struct Source *self)
{
    static uint32_t number;
    if (number == 100) {
        printf("Source: %s, %s\n", Source_has_copy(self) ? "copied" : "not copied", Source_has_wish(self) ? "asked" : "not asked");
        return false;
    }
    number++;
    self->t->number = number;
    self->copy->number = number;
    if (Source_try_wish(self) && !Source_has_wish(self))
        return false;
    if (!Source_has_wish(self) && (!Source_over_wish(self) || Source_wait_wish(self, 1000000000)))
        return false;
    const enum whittle_flow_result result = Source_send_copy(self);
    if ((result == WHITTLE_FLOW_IS_UNCONNECTED) == Source_has_copy(self) || Source_room_copy(self) == 0)
        return false;
    if (!Source_has_copy(self) && Source_batch_copy(self, 1) != WHITTLE_FLOW_IS_UNCONNECTED)
        return false;
    return Source_send_t(self);
}
