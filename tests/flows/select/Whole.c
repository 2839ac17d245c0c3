/* Says which packets have come, and whether they hold what they should; ends after LEAVE of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "Whole.h"

bool whole(struct Whole *self)
{
    static int count;
    const char *const leave = getenv("LEAVE");
    const uint32_t n = self->r->number;
    const bool is_right = self->r->temperature == n % 20 && self->r->n == n % 300;
    printf("%u%s\n", (unsigned)n, is_right ? "" : " altered");
    fflush(stdout);
    count++;
    return leave == NULL || count < atoi(leave);
}
