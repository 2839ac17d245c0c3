#include "Relay.h"
#include "work.h"

bool hand_on(struct Relay *self)
{
    relay(self->data, self->onwards);
    return Relay_send_onwards(self);
}
