#include "Writer.h"
#include <stdio.h>

static uint32_t written;

bool write_line(struct Writer *self)
{
    Line *const line = self->l;
    if (written == 20)
        return false;
    line->number = written++;
    line->is_last = written == 20;
    snprintf(line->text, sizeof line->text, "%.*s", (int)line->number, "and so on, and so on");
    for (int n = 0; n < 3; n++)
        line->ticks[n] = (Tick){.number = line->number, .value = -n};
    line->samples_count = line->number;
    for (uint32_t n = 0; n < line->samples_count; n++)
        line->samples[n] = n / 2.0;
    return Writer_send_l(self);
}
