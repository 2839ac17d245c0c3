#include "To.h"
#include "fails.h"
#include <stdio.h>

static unsigned count;

void To_begin(struct To *self)
{
    if (fails("To"))
        To_fail(self, "there is no screen");
}

bool to(struct To *self)
{
    (void)self;
    count++;
    return true;
}

void To_end(struct To *self)
{
    (void)self;
    printf("To: %u\n", count);
}
