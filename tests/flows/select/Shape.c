/* Says which packets have come, and whether they hold what they should; ends after LEAVE of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "Shape.h"

bool shape(struct Shape *self)
{
    static int count;
    const char *const leave = getenv("LEAVE");
    const uint32_t n = self->r->number;
    bool is_right = self->r->at[1].y == (int16_t)(n % 7) && self->r->n == n % 300;
    for (uint32_t item = 0; is_right && item < self->r->n; item++)
        is_right = self->r->bytes[item] == (uint8_t)n;
    printf("%u%s\n", (unsigned)n, is_right ? "" : " altered");
    fflush(stdout);
    count++;
    return leave == NULL || count < atoi(leave);
}
