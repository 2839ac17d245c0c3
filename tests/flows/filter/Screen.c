/* Says which packets have come; ends after LEAVE of them. */
#include <stdio.h>
#include <stdlib.h>
#include "Screen.h"

bool show(struct Screen *self)
{
    static int count;
    const char *const leave = getenv("LEAVE");
    printf("%u\n", (unsigned)self->r->number);
    fflush(stdout);
    count++;
    return leave == NULL || count < atoi(leave);
}
