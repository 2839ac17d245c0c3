#include "Relay.h"
#include "work.h"

/* All that have come are handed on, as many at a time as there is room for. */
bool hand_on(struct Relay *self)
{
    size_t left = Relay_fetch_data(self);
    const PACKET *from = self->data;
    if (left == 0)
        return false;
    while (left > 0) {
        const size_t room = Relay_room_onwards(self), count = room < left ? room : left;
        for (size_t i = 0; i < count; i++)
            relay(&from[i], &self->onwards[i]);
        if (!Relay_batch_onwards(self, count))
            return false;
        from += count;
        left -= count;
    }
    return true;
}
