/* Says which packets have come, and whether they hold what they should; ends after LEAVE of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "Dot.h"

bool dot(struct Dot *self)
{
    static int count;
    const char *const leave = getenv("LEAVE");
    const uint32_t n = self->s->number;
    static const colour tints[] = {RED, GREEN, BLUE};
    const bool is_right = self->s->tint == tints[n % 3];
    printf("%u%s\n", (unsigned)n, is_right ? "" : " altered");
    fflush(stdout);
    count++;
    return leave == NULL || count < atoi(leave);
}
