/* The source: its middle is called once, and sends as the measurements ask for. */
#include "Source.h"
#include <string.h>
static struct Source *source;

static void publish(const Mixed *packet, bool last)
{
    (void)last;
    memcpy(source->data, packet, sizeof *packet);
    Source_send_data(source);
}

#include "drive.h"

bool produce(struct Source *self)
{
    source = self;
    drive();
    return false;
}
