#include <stddef.h>

struct csv_options {
    char separator;
    char quote; /* or '\0': none */
    char comment; /* or '\0': none */
    int doubled; /* a quote is escaped by another one; else by a backslash */
    int trim;
    int header; /* the first row is not given */
    int carriage_return; /* rows may end in one */
};

/* Gets the fields of a row, which are valid during the call; not 0 ends the reading. */
typedef int csv_row(void *context, const char *const *fields, const size_t *lengths, int count);

enum { CSV_FIELDS = 16, CSV_BYTES = 512 };

/* Zero, or -1 on rows with too much in them, or what `row` returned. */
int csv_read(const struct csv_options *options, const char *text, size_t length, csv_row *row, void *context);

struct totals {
    long sum;
    unsigned rows, fields;
    unsigned long names;
};

int total(const char *text, size_t length, struct totals *totals);
