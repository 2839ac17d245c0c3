/* What a packet holds follows from its number. Sends MOST packets, says so, and then none until the flow is asked to end. */
#include <stdio.h>
#include <stdlib.h>
#include "Painter.h"

bool mix(struct Painter *self)
{
    static uint32_t number;
    static int marks[5];
    static char *names[] = {"none", "sky", "sea"};
    static const colour tints[] = {RED, GREEN, BLUE};
    const char *const most = getenv("MOST");
    const uint32_t n = number++;
    if (most != NULL && n >= (uint32_t)atoi(most)) {
        if (n == (uint32_t)atoi(most))
            puts("sent");
        fflush(stdout);
        return true;
    }
    self->p->number = n;
    self->p->tint = tints[n % 3];
    self->p->name = names[n % 2 == 0 ? 0 : 1 + n % 3 % 2];
    self->p->at.x = 0;
    self->p->at.y = -(int)(n % 4);
    self->p->marks.marks_len = n % 5;
    self->p->marks.marks_val = marks;
    self->p->wet = n % 2 == 0;
    self->p->big = n % 4 == 0 ? UINT64_MAX : 7;
    return Painter_send_p(self) != WHITTLE_FLOW_IS_CLOSED;
}
