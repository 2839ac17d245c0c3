/* Says which packets have come, and whether they hold what they should; ends after LEAVE of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "Tint.h"

bool tint(struct Tint *self)
{
    static int count;
    const char *const leave = getenv("LEAVE");
    const uint32_t n = self->s->number;
    static const colour tints[] = {RED, GREEN, BLUE};
    bool is_right = self->s->tint == tints[n % 3] && strcmp(self->s->label, n % 2 == 0 ? "none" : "sky") == 0 && self->s->marks.marks_len == n % 5;
    for (uint32_t item = 0; is_right && item < self->s->marks.marks_len; item++)
        is_right = self->s->marks.marks_val[item] == (int)(item + n % 9);
    printf("%u%s\n", (unsigned)n, is_right ? "" : " altered");
    fflush(stdout);
    count++;
    return leave == NULL || count < atoi(leave);
}
