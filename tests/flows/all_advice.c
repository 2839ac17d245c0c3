#include "whittle_flow.h"
#include <stdio.h>
#include <string.h>

void count_before(const struct whittle_flow_moment *moment);
void count_after(const struct whittle_flow_moment *moment);
void count_sent(const struct whittle_flow_moment *moment);
void tell(const struct whittle_flow_moment *moment);

static unsigned before, sent;

void count_before(const struct whittle_flow_moment *moment)
{
    before += strcmp(moment->stage, "Twice") == 0;
}

void count_after(const struct whittle_flow_moment *moment)
{
    if (strcmp(moment->stage, "Twice") == 0 && before == 100)
        printf("%s in %s: %u calls, %u sent\n", moment->stage, moment->flow, before, sent);
}

void count_sent(const struct whittle_flow_moment *moment)
{
    sent += strcmp(moment->edge, "Twice.b -> Sum.t") == 0;
}

void tell(const struct whittle_flow_moment *moment)
{
    (void)moment;
}
