#include <whittle/specialize.h>
#include "csv.h"

static const struct csv_options options = { .separator = ';', .quote = '"', .doubled = 1, .trim = 0, .header = 1 };

/* Rows of a name and a number. */
static int add_row(void *context, const char *const *fields, const size_t *lengths, int count)
{
    struct totals *totals = context;
    long number = 0;
    if (count < 2)
        return 1;
    for (size_t i = 0; i < lengths[0]; i++)
        totals->names = 31 * totals->names + (unsigned char)fields[0][i];
    for (size_t i = 0; i < lengths[1] && fields[1][i] >= '0' && fields[1][i] <= '9'; i++)
        number = 10 * number + (fields[1][i] - '0');
    totals->sum += number;
    totals->rows++;
    totals->fields += (unsigned)count;
    return 0;
}

WHITTLE_SPECIALIZE
int total(const char *text, size_t length, struct totals *totals)
{
    return csv_read(&options, text, length, add_row, totals);
}
