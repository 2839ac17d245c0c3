#include "Reader.h"
#include <stdio.h>
#include <string.h>

static size_t letters;
static double samples;
static long ticks;

bool read_line(struct Reader *self)
{
    const Line *const line = self->l;
    letters += strlen(line->text);
    for (uint32_t n = 0; n < line->samples_count; n++)
        samples += line->samples[n];
    for (int n = 0; n < 3; n++)
        ticks += (long)line->ticks[n].number + line->ticks[n].value;
    if (line->is_last)
        printf("%s: line %u is the last: \"%s\"\n", self->instance, line->number, line->text);
    return true;
}

void Reader_end(struct Reader *self)
{
    printf("%s: %zu letters, %g in samples, %ld in ticks\n", self->instance, letters, samples, ticks);
}
