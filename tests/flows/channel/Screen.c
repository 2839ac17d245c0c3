/*
 * Says where it begins, and each packet that is not the one behind the last; holds the first until the file HOLD is there; ends after
 * LEAVE packets.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "Screen.h"

static uint32_t count, next;

bool show(struct Screen *self)
{
    const char *const leave = getenv("LEAVE");
    if (count == 0)
        printf("begins at %u\n", self->r->number);
    else if (self->r->number != next)
        printf("gap: %u, not %u\n", self->r->number, next);
    if (self->r->temperature * 2 != self->r->number || strcmp(self->r->place, "at the door") != 0)
        printf("altered: %u\n", self->r->number);
    fflush(stdout);
    for (const char *const hold = getenv("HOLD"); hold != NULL && access(hold, F_OK) != 0;)
        usleep(1000);
    next = self->r->number + 1;
    count++;
    return leave == NULL || count < (uint32_t)atoi(leave);
}

void Screen_end(struct Screen *self)
{
    (void)self;
    printf("took %u\n", count);
}
