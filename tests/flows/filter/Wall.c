/* Says which packets have come; ends after LEAVE of them. */
#include <stdio.h>
#include <stdlib.h>
#include "Wall.h"

bool hang(struct Wall *self)
{
    static int count;
    const char *const leave = getenv("LEAVE");
    printf("%u\n", (unsigned)self->p->number);
    fflush(stdout);
    count++;
    return leave == NULL || count < atoi(leave);
}
