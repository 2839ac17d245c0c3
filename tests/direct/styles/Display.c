/* A middle that says what has come. */
#include <stdio.h>
#include "Display.h"

bool display(struct Display *self)
{
    printf("%u\n", (unsigned)self->r->n);
    return true;
}
