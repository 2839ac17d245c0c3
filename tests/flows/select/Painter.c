/* What a packet holds follows from its number. Sends MOST packets, says so, and then none until the flow is asked to end. */
#include <stdio.h>
#include <stdlib.h>
#include "Painter.h"

bool paint(struct Painter *self)
{
    static uint32_t number;
    static int marks[5];
    static char *labels[] = {"none", "sky"};
    static const colour tints[] = {RED, GREEN, BLUE};
    const char *const most = getenv("MOST");
    const uint32_t n = number++;
    if (most != NULL && n >= (uint32_t)atoi(most)) {
        if (n == (uint32_t)atoi(most))
            puts("sent");
        fflush(stdout);
        return true;
    }
    for (int item = 0; item < 5; item++)
        marks[item] = item + (int)(n % 9);
    self->s->number = n;
    self->s->tint = tints[n % 3];
    self->s->label = labels[n % 2];
    self->s->marks.marks_len = n % 5;
    self->s->marks.marks_val = marks;
    return Painter_send_s(self) != WHITTLE_FLOW_IS_CLOSED;
}
