/* A middle that, where it is linked with them, serves and calls interfaces in all styles before its packet goes. */
#include "Sensor.h"

extern int styles(void) __attribute__((weak));

bool measure(struct Sensor *self)
{
    self->r->n = styles == NULL || styles() == 0 ? 321 : 0;
    (void)Sensor_send_r(self);
    return false;
}
