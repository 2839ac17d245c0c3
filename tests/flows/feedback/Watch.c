/* Looks now and then, until there is nothing to come: what is older never comes after what is newer. */
#include "Watch.h"
#include <stdio.h>
#include <string.h>

static uint32_t last;

bool watch(struct Watch *self)
{
    char text[21];
    if (!Watch_wait_n(self, 3000000))
        return !Watch_over_n(self);
    snprintf(text, sizeof text, "turn %u", self->n->number);
    if (self->n->number <= last || strcmp(text, self->n->text) != 0)
        printf("Watch: %u after %u\n", self->n->number, last);
    last = self->n->number;
    return true;
}

void Watch_end(struct Watch *self)
{
    (void)self;
    printf("Watch: %u in the end\n", last);
}
