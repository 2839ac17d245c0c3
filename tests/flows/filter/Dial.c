/* Says which packets have come; ends after LEAVE of them. */
#include <stdio.h>
#include <stdlib.h>
#include "Dial.h"

bool turn(struct Dial *self)
{
    static int count;
    const char *const leave = getenv("LEAVE");
    printf("%u\n", (unsigned)self->c->number);
    fflush(stdout);
    count++;
    return leave == NULL || count < atoi(leave);
}
