/* Says which packets have come; ends after LEAVE of them. WANTS says which it wants, beside what the flow says. */
#include <stdio.h>
#include <stdlib.h>
#include "Screen.h"

void Screen_begin(struct Screen *self)
{
    const char *const wants = getenv("WANTS");
    if (wants != NULL && !Screen_where_r(self, wants))
        Screen_fail(self, "it does not know what it wants");
}

bool show(struct Screen *self)
{
    static int count;
    const char *const leave = getenv("LEAVE");
    printf("%u\n", (unsigned)self->r->number);
    fflush(stdout);
    count++;
    return leave == NULL || count < atoi(leave);
}
