#include <stdlib.h>
#include "table.h"

enum where { ROW, FIELD, PLAIN, QUOTED, CLOSED };

static void end_field(struct table *table, const unsigned char *bytes, size_t length)
{
    table->fields++;
    table->mixed = table->mixed * 31 + length;
    if (length > 0)
        table->mixed = table->mixed * 31 + bytes[0] + bytes[length - 1];
}

static void end_row(struct table *table, int end)
{
    table->rows++;
    table->mixed = table->mixed * 31 + (unsigned)end;
}

size_t read_table(const char *text, size_t length, struct table *table)
{
    const unsigned char *bytes = (const unsigned char *)text;
    unsigned char few[256], *field = length <= sizeof few ? few : malloc(length);
    size_t at = 0, size = 0, spaces = 0;
    enum where where = ROW;
    table->fields = table->rows = 0;
    table->mixed = 0;
    if (field == NULL)
        return 0;
    for (; at < length; at++) {
        const unsigned char c = bytes[at];
        const int is_space = c == ' ' || c == '\t', is_end = c == '\n' || c == '\r';
        switch (where) {
        case ROW:
        case FIELD:
            if (is_space || (is_end && where == ROW))
                break;
            if (is_end) {
                end_field(table, field, 0);
                end_row(table, c);
                where = ROW;
            } else if (c == ';') {
                end_field(table, field, 0);
                where = FIELD;
            } else if (c == '"') {
                where = QUOTED;
            } else {
                field[size++] = c;
                where = PLAIN;
            }
            break;
        case PLAIN:
            if (c == '"')
                goto end;
            if (c == ';' || is_end) {
                end_field(table, field, size - spaces);
                size = spaces = 0;
                where = FIELD;
                if (is_end) {
                    end_row(table, c);
                    where = ROW;
                }
                break;
            }
            field[size++] = c;
            spaces = is_space ? spaces + 1 : 0;
            break;
        case QUOTED:
            field[size++] = c;
            if (c == '"')
                where = CLOSED;
            break;
        case CLOSED:
            if (c == ';' || is_end) {
                end_field(table, field, size - spaces - 1);
                size = spaces = 0;
                where = FIELD;
                if (is_end) {
                    end_row(table, c);
                    where = ROW;
                }
            } else if (is_space) {
                field[size++] = c;
                spaces++;
            } else if (c == '"' && spaces == 0) {
                where = QUOTED;
            } else {
                goto end;
            }
            break;
        }
    }
    if (where == CLOSED)
        size -= spaces + 1, spaces = 0;
    if (where != ROW) {
        end_field(table, field, where == PLAIN ? size - spaces : size);
        end_row(table, -1);
    }
end:
    if (field != few)
        free(field);
    return at;
}
