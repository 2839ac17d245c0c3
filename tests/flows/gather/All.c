/* One of each. Where one is dropped before it comes, the numbers of that port only grow. */
#include "All.h"
#include "look.h"

static uint32_t calls;
static struct port a, b;

bool all(struct All *self)
{
    calls++;
    LOOK_AT_A(self, getenv("DROPS") == NULL);
    LOOK_AT_B(self, true);
    return goes_on(calls);
}

void All_end(struct All *self)
{
    (void)self;
    printf("took %u and %u in %u calls\n", a.count, b.count, calls);
}
