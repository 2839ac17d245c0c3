/* Says which packets have come, and whether they hold what they should; ends after LEAVE of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "Warm.h"

bool warm(struct Warm *self)
{
    static int count;
    const char *const leave = getenv("LEAVE");
    const uint32_t n = self->r->number;
    const bool is_right = self->r->temperature == n % 20;
    printf("%u%s\n", (unsigned)n, is_right ? "" : " altered");
    fflush(stdout);
    count++;
    return leave == NULL || count < atoi(leave);
}
