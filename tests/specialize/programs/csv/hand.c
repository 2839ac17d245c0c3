#include "csv.h"

static inline int inside(const char *at, const char *end)
{
    return at != end && *at != '\n' && *at != ';';
}

int total(const char *text, size_t length, struct totals *totals)
{
    const char *at = text, *const end = text + length;
    for (int row = 0; at != end; row++) {
        unsigned long names = totals->names;
        long number = 0;
        size_t used = 0;
        int count = 0;
        for (;; at++) {
            if (count == CSV_FIELDS)
                return -1;
            int digits = count == 1;
            if (at != end && *at == '"') {
                for (at++;; at++) {
                    if (at == end)
                        return -1;
                    if (*at == '"' && (++at == end || *at != '"'))
                        break;
                    if (used++ == CSV_BYTES)
                        return -1;
                    if (count == 0)
                        names = 31 * names + (unsigned char)*at;
                    else if (digits && (digits = *at >= '0' && *at <= '9'))
                        number = 10 * number + (*at - '0');
                }
                while (inside(at, end))
                    at++;
            } else {
                for (; inside(at, end); at++) {
                    if (used++ == CSV_BYTES)
                        return -1;
                    if (count == 0)
                        names = 31 * names + (unsigned char)*at;
                    else if (digits && (digits = *at >= '0' && *at <= '9'))
                        number = 10 * number + (*at - '0');
                }
            }
            count++;
            if (at == end || *at == '\n')
                break;
        }
        if (at != end)
            at++;
        if (row == 0)
            continue;
        if (count < 2)
            return 1;
        totals->names = names;
        totals->sum += number;
        totals->rows++;
        totals->fields += (unsigned)count;
    }
    return 0;
}
