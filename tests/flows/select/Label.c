/* Says which packets have come, and whether they hold what they should; ends after LEAVE of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "Label.h"

bool label(struct Label *self)
{
    static int count;
    const char *const leave = getenv("LEAVE");
    const uint32_t n = self->r->number;
    bool is_right = strcmp(self->r->place, n % 4 == 0 ? "b" : "a longer place") == 0 && self->r->is_open == (n % 3 == 0) && self->r->q_count == n % 5;
    for (uint32_t item = 0; is_right && item < self->r->q_count; item++)
        is_right = self->r->q[item] == (float)item;
    printf("%u%s\n", (unsigned)n, is_right ? "" : " altered");
    fflush(stdout);
    count++;
    return leave == NULL || count < atoi(leave);
}
