#include "csv.h"
#include <whittle/specialize.h>
#include "table.h"

static void field(void *at, size_t length, void *data)
{
    struct table *table = data;
    const unsigned char *bytes = at;
    table->fields++;
    table->mixed = table->mixed * 31 + length;
    if (length > 0)
        table->mixed = table->mixed * 31 + bytes[0] + bytes[length - 1];
}

static void row(int end, void *data)
{
    struct table *table = data;
    table->rows++;
    table->mixed = table->mixed * 31 + (unsigned)end;
}

WHITTLE_SPECIALIZE
size_t read_table(const char *text, size_t length, struct table *table)
{
    struct csv_parser parser;
    csv_init(&parser, CSV_STRICT);
    csv_set_delim(&parser, ';');
    table->fields = table->rows = 0;
    table->mixed = 0;
    const size_t done = csv_parse(&parser, text, length, field, row, table);
    if (done == length)
        csv_fini(&parser, field, row, table);
    csv_free(&parser);
    return done;
}
