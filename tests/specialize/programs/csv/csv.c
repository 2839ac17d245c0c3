/* A reader of CSV with options. */
#include "csv.h"

struct reader {
    const struct csv_options *options;
    const char *at, *end;
    char bytes[CSV_BYTES];
    size_t used;
    const char *fields[CSV_FIELDS];
    size_t lengths[CSV_FIELDS];
    int count;
};

static int at_row_end(const struct reader *reader)
{
    if (reader->at == reader->end || *reader->at == '\n')
        return 1;
    return reader->options->carriage_return && *reader->at == '\r' && reader->at + 1 != reader->end && reader->at[1] == '\n';
}

static int at_field_end(const struct reader *reader)
{
    return at_row_end(reader) || *reader->at == reader->options->separator;
}

static void end_row(struct reader *reader)
{
    if (reader->at != reader->end && *reader->at == '\r')
        reader->at++;
    if (reader->at != reader->end)
        reader->at++;
}

static int blank(char c)
{
    return c == ' ' || c == '\t';
}

static int add(struct reader *reader, char c)
{
    if (reader->used == CSV_BYTES)
        return -1;
    reader->bytes[reader->used++] = c;
    return 0;
}

static int read_quoted(struct reader *reader)
{
    const struct csv_options *options = reader->options;
    for (;;) {
        if (reader->at == reader->end)
            return -1;
        char c = *reader->at++;
        if (c == options->quote) {
            if (!options->doubled || reader->at == reader->end || *reader->at != options->quote)
                return 0;
            reader->at++;
        } else if (c == '\\' && !options->doubled) {
            if (reader->at == reader->end)
                return -1;
            c = *reader->at++;
        }
        if (add(reader, c) != 0)
            return -1;
    }
}

static int read_field(struct reader *reader)
{
    const struct csv_options *options = reader->options;
    const size_t start = reader->used;
    if (reader->count == CSV_FIELDS)
        return -1;
    if (options->trim)
        while (!at_field_end(reader) && blank(*reader->at))
            reader->at++;
    if (options->quote != '\0' && reader->at != reader->end && *reader->at == options->quote) {
        reader->at++;
        if (read_quoted(reader) != 0)
            return -1;
        while (!at_field_end(reader))
            reader->at++;
    } else {
        while (!at_field_end(reader))
            if (add(reader, *reader->at++) != 0)
                return -1;
        if (options->trim)
            while (reader->used > start && blank(reader->bytes[reader->used - 1]))
                reader->used--;
    }
    reader->fields[reader->count] = reader->bytes + start;
    reader->lengths[reader->count++] = reader->used - start;
    return 0;
}

static int read_row(struct reader *reader)
{
    reader->used = 0;
    reader->count = 0;
    for (;;) {
        if (read_field(reader) != 0)
            return -1;
        if (at_row_end(reader)) {
            end_row(reader);
            return 0;
        }
        reader->at++;
    }
}

int csv_read(const struct csv_options *options, const char *text, size_t length, csv_row *row, void *context)
{
    struct reader reader;
    int first = 1;
    reader.options = options;
    reader.at = text;
    reader.end = text + length;
    while (reader.at != reader.end) {
        if (options->comment != '\0' && *reader.at == options->comment) {
            while (!at_row_end(&reader))
                reader.at++;
            end_row(&reader);
            continue;
        }
        if (read_row(&reader) != 0)
            return -1;
        if (!(first && options->header)) {
            const int result = row(context, reader.fields, reader.lengths, reader.count);
            if (result != 0)
                return result;
        }
        first = 0;
    }
    return 0;
}
